import { createTokenTally } from '#server/billing/counting/token-estimate.ts'
import { countTokens } from '#server/billing/counting/tokenizer.ts'
import type { ChatEvent, ChatFault, Usage } from '#server/dialects/chat.ts'
import { plausibleUsage } from './plausible-usage.ts'

/** Looks on while an answer passes and knows in the end what it used. Its memory does not grow with the answer. */
export interface Meter {
  see(event: ChatEvent): void
  /** The usage the provider reported last; null when it reported none. */
  reported(): Usage | null
  /** Whether more was answered since that report, as when an answer is cut before its end. */
  outdated(): boolean
  /** Whether the model has answered anything: text, thought, a call, a picture. */
  hasContent(): boolean
  /** Whether anything of an answer has come, be it only whose it is. */
  hasBegun(): boolean
  /** How many answers have come to their end, nothing behind it. */
  finishes(): number
  /** The id the provider gave the answer. */
  answerId(): string | undefined
  /** Whether what was reported cannot be true. */
  isDoubtful(): boolean
  fault(): ChatFault | null
  /** Tokens of what was answered so far, counted by us. */
  countOutput(model: string, approximate: boolean): Promise<number>
}

const bufferMax = 32 * 1024

type ContentEvent = Extract<
  ChatEvent,
  { type: 'text-delta' | 'reasoning-delta' | 'refusal-delta' | 'tool-call-start' | 'tool-call-delta' | 'image' }
>

const contentTypes: ReadonlySet<ChatEvent['type']> = new Set([
  'text-delta',
  'reasoning-delta',
  'refusal-delta',
  'tool-call-start',
  'tool-call-delta',
  'image',
])

/** A piece of an answer, not what is said about it. */
export const isContent = (event: ChatEvent): event is ContentEvent =>
  contentTypes.has(event.type) && !('text' in event && event.text === '')

export function createMeter(): Meter {
  let usage: Usage | null = null
  let outdated = false
  let fault: ChatFault | null = null
  const finished = new Set<number>()
  let begun = false
  let doubtful = false
  let content = false
  let calls = 0
  let answerId: string | undefined
  let buffer = ''
  let overflow: ReturnType<typeof createTokenTally> | null = null

  const text = (piece: string) => {
    if (piece === '') return
    content = true
    outdated = true
    if (buffer.length + piece.length <= bufferMax) {
      buffer += piece
      return
    }
    overflow ??= createTokenTally()
    overflow.add(buffer)
    buffer = piece
  }

  return {
    see(event) {
      // Nothing behind a fault is delivered.
      if (fault) return
      if (event.type !== 'fault') begun = true
      // An answer that goes on after its end has not ended.
      if (finished.size > 0 && isContent(event)) finished.delete(event.choice ?? 0)
      switch (event.type) {
        case 'start':
          answerId ??= event.id
          return
        case 'text-delta':
        case 'reasoning-delta':
        case 'refusal-delta':
          return text(event.text)
        case 'tool-call-start':
          content = true
          calls += 1
          return text(event.name)
        case 'tool-call-delta':
          return text(event.arguments)
        case 'image':
        case 'reasoning-redacted':
          content = true
          return
        case 'usage':
          usage = plausibleUsage(event.usage)
          doubtful ||= usage !== event.usage
          outdated = false
          return
        case 'finish':
          finished.add(event.choice ?? 0)
          return
        case 'fault':
          fault = event.fault
      }
    },
    reported: () => usage,
    outdated: () => outdated,
    hasContent: () => content,
    hasBegun: () => begun,
    finishes: () => finished.size,
    answerId: () => answerId,
    isDoubtful: () => doubtful,
    fault: () => fault,
    async countOutput(model, approximate) {
      const rest = createTokenTally()
      rest.add(buffer)
      const counted = approximate || overflow ? rest.tokens() : await countTokens(buffer, model)
      return counted + (overflow?.tokens() ?? 0) + calls * 3
    },
  }
}
