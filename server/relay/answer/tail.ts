import type { ChatFault } from '#server/dialects/chat.ts'
import { faultOfBody } from '#server/dialects/error-body.ts'
import { objectOf, parseJson } from '#server/lib/json.ts'
import type { Operation } from '#server/providers/provider.ts'
import type { Consumption } from '#server/relay/metering/charges.ts'
import { operationConsumption } from '#server/relay/metering/operation-consumption.ts'
import type { Ask } from '#server/relay/request/ask.ts'

/** Operations whose answers may be longer than anything is held: pictures inside of JSON. */
export const pictureOperations: ReadonlySet<Operation> = new Set([
  'images',
  'image-edits',
  'image-variations',
  'predict',
])

/** From the end of an answer that was not held: pictures that went by count as asked for, unless the vendor gave up. */
export const byTail =
  (ask: Ask) =>
  async (approximate: boolean, tail: string): Promise<Consumption> => {
    const isDrawn = pictureOperations.has(ask.entrance.door.operation)
    const report = objectOf(lastReport(tail))
    if (isDrawn && !report && faultAtEnd(tail)) return { by: 'nothing' }
    const data = isDrawn ? { data: new Array(ask.n).fill(null) } : {}
    return operationConsumption(ask, report ? { ...report, ...data } : tail, approximate)
  }

/** The last JSON of an event stream that reports usage: streamed transcripts and pictures end with one. */
function lastReport(tail: string): unknown {
  const line = tail.split('\n').findLast((candidate) => candidate.includes('"usage"')) ?? ''
  if (line.startsWith('data:')) return parseJson(line.slice('data:'.length))
  // The line of a picture may be longer than what was kept of it; its report stands at the end.
  const report = /^"usage":(\{(?:[^{}]|\{[^{}]*\})*\})/.exec(line.slice(line.lastIndexOf('"usage"')))?.[1]
  return report === undefined ? undefined : { usage: parseJson(report) }
}

/** What went wrong, where the last event of a stream says so. */
export function faultAtEnd(tail: string): ChatFault | null {
  const line = tail.split('\n').findLast((candidate) => candidate.startsWith('data:')) ?? ''
  const event = objectOf(parseJson(line.slice('data:'.length)))
  return event && (event.type === 'error' || event.error) ? faultOfBody(200, event) : null
}
