import type { ChatEvent } from '#server/dialects/chat.ts'
import { isWholeCall } from '#server/dialects/prompt-parts.ts'

/** What becomes part of a block. */
export type ContentEvent = Exclude<ChatEvent, { type: 'start' | 'usage' | 'fault' | 'finish' }>

type Start = Extract<ChatEvent, { type: 'tool-call-start' }>

interface BegunCall {
  readonly start: Start
  arguments: string
}

const isOver = (call: BegunCall): boolean => call.arguments !== '' && isWholeCall(call)

/**
 * Calls one after the other: the format has one block open at a time, and clients run a call when its block stops. One that begins
 * before the arguments of another have come waits for them.
 */
export function createCallOrder() {
  let current: BegunCall | undefined
  let waiting: BegunCall[] = []

  const begin = (call: BegunCall): ContentEvent[] => {
    const { start, arguments: text } = call
    current = call
    const at = { index: start.index, ...(start.choice === undefined ? {} : { choice: start.choice }) }
    return text === '' ? [start] : [start, { type: 'tool-call-delta', ...at, arguments: text }]
  }
  /** Events of waiting calls whose turn has come. */
  const next = (): ContentEvent[] => {
    const events: ContentEvent[] = []
    while (waiting.length > 0 && (!current || isOver(current))) {
      const [first, ...rest] = waiting
      waiting = rest
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
      if (event.type === 'tool-call-start') {
        waiting.push({ start: event, arguments: '' })
        return next()
      }
      if (event.type !== 'tool-call-delta') return current ? [...rest(), event] : [event]
      const late = waiting.find(({ start }) => start.index === event.index)
      if (late) late.arguments += event.arguments
      if (late) return []
      if (current?.start.index !== event.index) return event.arguments.trim() === '' ? [] : [event]
      current.arguments += event.arguments
      return waiting.length > 0 ? [event, ...next()] : [event]
    },
    /** What still waits when the answer ends. */
    rest,
  }
}
