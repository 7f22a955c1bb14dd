import type { ChatEvent } from '#server/dialects/chat.ts'

/**
 * Completes the head of an answer before it is encoded: the client gets the model name it asked for, and a time even where the
 * provider sends none. An answer the relay keeps has an id of the relay's. Holds the state of one answer.
 */
export function createAnswerHead(
  model: string,
  nowMs: number,
  keptId?: string,
): (events: readonly ChatEvent[]) => ChatEvent[] {
  const own = keptId === undefined ? {} : { id: keptId }
  const created = Math.floor(nowMs / 1000)
  let begun = false
  return (events) => {
    const complete = events.map((event) =>
      event.type === 'start' ? { ...event, ...own, model, created: event.created || created } : event,
    )
    const [first] = complete
    if (begun || !first) return complete
    begun = true
    return first.type === 'start' ? complete : [{ type: 'start', ...own, model, created }, ...complete]
  }
}
