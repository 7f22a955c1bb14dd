import { createTokenTally } from '#server/billing/counting/token-estimate.ts'
import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import { decodedBytes } from './frames.ts'

/** What one side has said, by kind. */
export interface Said {
  text(words: string): void
  sound(bytes: number, bytesPerSecond: number): void
  picture(): void
  /** All words, sounds and pictures inside a value. */
  all(value: unknown, bytesPerSecond: number, field?: string): void
  size(): Size
}

interface Size {
  readonly text: number
  readonly seconds: number
  readonly pictures: number
}

function createSaid(): Said {
  const tally = createTokenTally()
  let seconds = 0
  let pictures = 0
  const said: Said = {
    text: (words) => tally.add(words),
    sound(bytes, bytesPerSecond) {
      seconds += bytes / bytesPerSecond
    },
    picture() {
      pictures += 1
    },
    all(value, bytesPerSecond, field = '') {
      if (typeof value === 'string') {
        if (field === 'audio') said.sound(decodedBytes(value), bytesPerSecond)
        else if (field === 'image_url') said.picture()
        else tally.add(value)
      } else if (Array.isArray(value)) for (const entry of value) said.all(entry, bytesPerSecond, field)
      else if (typeof value === 'object' && value !== null)
        for (const [name, inner] of Object.entries(value)) said.all(inner, bytesPerSecond, name)
    },
    size: () => ({ text: tally.tokens(), seconds, pictures }),
  }
  return said
}

/** How many tokens a vendor makes of what is no text. */
interface TokenRates {
  readonly audioInputPerSecond: number
  readonly audioOutputPerSecond: number
  readonly picture: number
}

/** An estimate of a conversation's size: the last usage report, what was said since, and the answer under way. */
interface Conversation {
  /** What the next question adds. */
  asked(): Said
  /** Replaces what stands before every question, such as instructions and tools. */
  preface(): Said
  answer(id: string): Said
  isAnswering(): boolean
  /** The estimated usage of an answer. */
  seen(id: string): BillableUsage
  /** An answer has ended with this usage; null when it used nothing. */
  ended(id: string, usage: BillableUsage | null): void
  /** All that is under way. */
  underWay(): BillableUsage
}

const nothing: Size = { text: 0, seconds: 0, pictures: 0 }

export function createConversation(rates: TokenRates): Conversation {
  let since = createSaid()
  let before: BillableUsage | null = null
  let preface = createSaid()
  const answers = new Map<string, Said>()
  /** Where a vendor does not name the answer an event belongs to, it is the one that began last. */
  const namedHere = (id: string): string => {
    if (answers.has(id)) return id
    return id === '' ? ([...answers.keys()].at(-1) ?? '') : answers.has('') ? '' : id
  }

  const usage = (answered: Size): BillableUsage => {
    const { text, seconds, pictures } = since.size()
    const audioInput = Math.ceil(seconds * rates.audioInputPerSecond)
    const seen = pictures * rates.picture
    const spoken = Math.ceil(answered.seconds * rates.audioOutputPerSecond)
    const known = before ? before.input + before.output : preface.size().text
    return {
      input: known + text + audioInput + seen,
      output: answered.text + spoken,
      cacheRead: before?.cacheRead ?? 0,
      audioCacheRead: before?.audioCacheRead ?? 0,
      audioInput: (before?.audioInput ?? 0) + (before?.audioOutput ?? 0) + audioInput,
      imageInput: seen,
      audioOutput: spoken,
    }
  }
  return {
    asked: () => since,
    preface() {
      preface = createSaid()
      return preface
    },
    answer(id) {
      const name = namedHere(id)
      const known = answers.get(name) ?? createSaid()
      answers.set(name, known)
      return known
    },
    isAnswering: () => answers.size > 0,
    seen: (id) => usage(answers.get(namedHere(id))?.size() ?? nothing),
    ended(id, used) {
      answers.delete(namedHere(id))
      if (!used) return
      before = used
      since = createSaid()
    },
    underWay() {
      const all = [...answers.values()].map((answer) => usage(answer.size()))
      return all.reduce(added, all.length > 0 ? { input: 0, output: 0 } : usage(nothing))
    },
  }
}

const added = (sum: BillableUsage, more: BillableUsage): BillableUsage => ({
  input: sum.input + more.input,
  output: sum.output + more.output,
  cacheRead: (sum.cacheRead ?? 0) + (more.cacheRead ?? 0),
  audioCacheRead: (sum.audioCacheRead ?? 0) + (more.audioCacheRead ?? 0),
  audioInput: (sum.audioInput ?? 0) + (more.audioInput ?? 0),
  imageInput: (sum.imageInput ?? 0) + (more.imageInput ?? 0),
  audioOutput: (sum.audioOutput ?? 0) + (more.audioOutput ?? 0),
})
