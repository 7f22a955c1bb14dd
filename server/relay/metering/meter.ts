import { timesOpenaiTokens } from '#server/billing/counting/claude-tokens.ts'
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
  /** Whether what was answered begins with this; false of an answer too long to know. */
  beginsWith(text: string): boolean
  /** The model whose tokens are counted: as its vendor names it, where only that says how fine it cuts. */
  countedAs(model: string): string
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

/** A class, because one is made for every answer: its methods are made once. */
class AnswerMeter implements Meter {
  private usage: Usage | null = null
  private isOutdated = false
  private seenFault: ChatFault | null = null
  private readonly finished = new Set<number>()
  private begun = false
  private doubtful = false
  private content = false
  private calls = 0
  private id: string | undefined
  /** The model as its vendor names it. */
  private answering: string | undefined
  private buffer = ''
  private overflow: ReturnType<typeof createTokenTally> | null = null

  see(event: ChatEvent): void {
    // Nothing behind a fault is delivered.
    if (this.seenFault) return
    if (event.type !== 'fault') this.begun = true
    // An answer that goes on after its end has not ended.
    if (this.finished.size > 0 && isContent(event)) this.finished.delete(event.choice ?? 0)
    switch (event.type) {
      case 'start':
        this.id ??= event.id
        this.answering ??= event.model
        return
      case 'text-delta':
      case 'reasoning-delta':
      case 'refusal-delta':
        this.add(event.text)
        return
      case 'tool-call-start':
        this.content = true
        this.calls += 1
        this.add(event.name)
        return
      case 'tool-call-delta':
        this.add(event.arguments)
        return
      case 'image':
      case 'reasoning-redacted':
        this.content = true
        return
      case 'usage':
        this.usage = plausibleUsage(event.usage)
        this.doubtful ||= this.usage !== event.usage
        this.isOutdated = false
        return
      case 'finish':
        this.finished.add(event.choice ?? 0)
        return
      case 'fault':
        this.seenFault = event.fault
    }
  }

  private add(piece: string): void {
    if (piece === '') return
    this.content = true
    this.isOutdated = true
    if (this.buffer.length + piece.length <= bufferMax) {
      this.buffer += piece
      return
    }
    this.overflow ??= createTokenTally()
    this.overflow.add(this.buffer)
    this.buffer = piece
  }

  reported(): Usage | null {
    return this.usage
  }

  outdated(): boolean {
    return this.isOutdated
  }

  hasContent(): boolean {
    return this.content
  }

  hasBegun(): boolean {
    return this.begun
  }

  finishes(): number {
    return this.finished.size
  }

  answerId(): string | undefined {
    return this.id
  }

  isDoubtful(): boolean {
    return this.doubtful
  }

  fault(): ChatFault | null {
    return this.seenFault
  }

  beginsWith(text: string): boolean {
    return !this.overflow && this.buffer.startsWith(text)
  }

  countedAs(model: string): string {
    return this.answering !== undefined && timesOpenaiTokens(this.answering) > 1 ? this.answering : model
  }

  async countOutput(model: string, approximate: boolean): Promise<number> {
    const calls = this.calls * 3
    if (!approximate && !this.overflow) return (await countTokens(this.buffer, model)) + calls
    const rest = createTokenTally()
    rest.add(this.buffer)
    return Math.ceil((rest.tokens() + (this.overflow?.tokens() ?? 0)) * timesOpenaiTokens(model)) + calls
  }
}

export const createMeter = (): Meter => new AnswerMeter()
