import type { ChatEvent } from '#server/dialects/chat.ts'
import { isWholeCall } from '#server/dialects/prompt-parts.ts'

/** What becomes part of a block. */
export type ContentEvent = Exclude<ChatEvent, { type: 'start' | 'usage' | 'fault' | 'finish' }>

type Start = Extract<ChatEvent, { type: 'tool-call-start' }>

interface BegunCall {
  readonly start: Start
  arguments: string
}

/** What has nothing to do with calls. */
type Said = Exclude<ContentEvent, { type: 'tool-call-start' | 'tool-call-delta' }>

const isCall = (each: BegunCall | Said): each is BegunCall => 'start' in each

/**
 * Calls one after the other: the format has one block open at a time, and clients run a call when its block stops. What comes
 * before all arguments of a call waits for them, be it another call or words.
 */
export function createCallOrder() {
  let current: BegunCall | undefined
  let waiting: (BegunCall | Said)[] = []

  const begin = (next: BegunCall | Said): ContentEvent[] => {
    current = isCall(next) ? next : undefined
    if (!isCall(next)) return [next]
    const { start, arguments: text } = next
    const at = { index: start.index, ...(start.choice === undefined ? {} : { choice: start.choice }) }
    return text === '' ? [start] : [start, { type: 'tool-call-delta', ...at, arguments: text }]
  }
  /** Events of what has waited, as far as its turn has come. */
  const next = (): ContentEvent[] => {
    const events: ContentEvent[] = []
    while (waiting.length > 0 && (!current || isWholeCall(current))) {
      const first = waiting.shift()
      if (first) events.push(...begin(first))
    }
    return events
  }
  const rest = (): ContentEvent[] => {
    const events = waiting.flatMap(begin)
    waiting = []
    current = undefined
    return events
  }

  return {
    push(event: ContentEvent): ContentEvent[] {
      if (event.type !== 'tool-call-delta') {
        waiting.push(event.type === 'tool-call-start' ? { start: event, arguments: '' } : event)
        return waiting.length === 1 ? next() : []
      }
      const late = waiting.find((each) => isCall(each) && each.start.index === event.index)
      if (late && isCall(late)) {
        late.arguments += event.arguments
        return []
      }
      if (current?.start.index !== event.index) return event.arguments.trim() === '' ? [] : [event]
      current.arguments += event.arguments
      return waiting.length > 0 ? [event, ...next()] : [event]
    },
    /** What still waits when the answer ends. */
    rest,
  }
}
