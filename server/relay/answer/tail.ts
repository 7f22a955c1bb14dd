import type { ChatFault } from '#server/dialects/chat.ts'
import { faultOfBody } from '#server/dialects/error-body.ts'
import { amountOf, type JsonObject, objectOf, parseJson } from '#server/lib/json.ts'
import type { Operation } from '#server/providers/provider.ts'
import type { Consumption } from '#server/relay/metering/charges.ts'
import { fieldOf, operationConsumption } from '#server/relay/metering/operation-consumption.ts'
import type { Ask } from '#server/relay/request/ask.ts'

/** Operations whose answers may be too long to be kept in memory: pictures inside JSON. */
export const pictureOperations: ReadonlySet<Operation> = new Set([
  'images',
  'image-edits',
  'image-variations',
  'predict',
])

const tailMax = 64 * 1024
/** Of a longer line only the beginning and the end are kept: between them is a picture. */
const lineMax = 16 * 1024
const lineBegin = 1024

/** The end of an answer that passes without being kept in memory. */
export interface Tail {
  /** Whether it comes as events. */
  readonly comesAsEvents: boolean
  add(piece: Uint8Array): void
  /** The end of it, when it is text. */
  text(): string
  /** The usage reports of pictures that came as events of their own. */
  pictures(): readonly JsonObject[]
}

export function createTail(contentType: string): Tail {
  const decoder = /^text\/|json/.test(contentType) ? new TextDecoder() : null
  const comesAsEvents = contentType.startsWith('text/event-stream')
  let text = ''
  let line = ''
  const pictures: JsonObject[] = []
  const shortened = (long: string) =>
    long.length <= lineMax ? long : long.slice(0, lineBegin) + long.slice(lineBegin - lineMax)
  return {
    comesAsEvents,
    add(piece) {
      const more = decoder?.decode(piece, { stream: true }) ?? ''
      text = (text + more).slice(-tailMax)
      if (!comesAsEvents) return
      const lines = (line + more).split(/[\r\n]+/)
      line = shortened(lines.pop() ?? '')
      for (const whole of lines) pictures.push(...pictureDone(whole))
    },
    text: () => text,
    pictures: () => [...pictures, ...pictureDone(line)],
  }
}

/** Transcripts in JSON may report usage; all other formats hold nothing but the spoken words. */
const reportingFormats: ReadonlySet<unknown> = new Set([null, 'json', 'verbose_json', 'diarized_json'])

/** Whether the answer may report usage. A plain transcript may not: somebody may have dictated what reads like a report. */
const mayReport = (ask: Ask, { comesAsEvents }: Tail): boolean =>
  comesAsEvents ||
  pictureOperations.has(ask.entrance.door.operation) ||
  reportingFormats.has(fieldOf(ask, 'response_format') ?? null)

/** The consumption of an answer of which only the end was kept: as many pictures as were asked for, unless it ended with an error. */
export const byTail =
  (ask: Ask) =>
  async (approximate: boolean, tail: Tail): Promise<Consumption> => {
    const isDrawn = pictureOperations.has(ask.entrance.door.operation)
    const end = tail.text()
    const pictures = isDrawn ? tail.pictures() : []
    const last = mayReport(ask, tail) ? objectOf(lastReport(end)) : undefined
    const report = pictures.length > 0 ? { usage: pictures.reduce(together) } : last
    if (isDrawn && !report && faultAtEnd(end)) return { by: 'nothing' }
    const data = isDrawn ? { data: new Array(ask.n).fill(null) } : {}
    return operationConsumption(ask, report ? { ...report, ...data } : end, approximate)
  }

/** The sum of two usage reports, field by field. */
function together(one: JsonObject, other: JsonObject): JsonObject {
  const sum: JsonObject = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const before = sum[name]
    const [parts, more] = [objectOf(before), objectOf(value)]
    sum[name] = parts && more ? together(parts, more) : amountOf(before) + amountOf(value)
  }
  return sum
}

const doneType = /"type"\s*:\s*"image_\w+\.completed"/

/** The report of an event that completes a picture. */
function pictureDone(line: string): JsonObject[] {
  const usage = line.startsWith('data:') && doneType.test(line) ? objectOf(usageIn(line)) : undefined
  return usage ? [usage] : []
}

/** The report at the end of a line, whose begin may be missing: a picture may be longer than what is kept of it. */
function usageIn(line: string): unknown {
  const whole = line.startsWith('data:') ? objectOf(parseJson(line.slice('data:'.length))) : undefined
  if (whole) return whole.usage
  const report = /^"usage"\s*:\s*(\{(?:[^{}]|\{[^{}]*\})*\})/.exec(line.slice(line.lastIndexOf('"usage"')))?.[1]
  return report === undefined ? undefined : parseJson(report)
}

/** The last JSON of an event stream that reports usage: streamed transcripts and pictures end with one. */
function lastReport(end: string): unknown {
  const line = end.split('\n').findLast((candidate) => candidate.includes('"usage"')) ?? ''
  const whole = line.startsWith('data:') ? parseJson(line.slice('data:'.length)) : undefined
  if (whole !== undefined) return whole
  const usage = usageIn(line)
  return usage === undefined ? undefined : { usage }
}

/** The error in the last event of a stream, if it is one. */
export function faultAtEnd(tail: string): ChatFault | null {
  const line = tail.split('\n').findLast((candidate) => candidate.startsWith('data:')) ?? ''
  const event = objectOf(parseJson(line.slice('data:'.length)))
  return event && (event.type === 'error' || event.error) ? faultOfBody(200, event) : null
}
