import type { ChatEvent, ChatRequest } from '#server/dialects/chat.ts'
import type { ClientDialect } from '#server/dialects/dialect.ts'
import { createFrameWriter } from '#server/dialects/framing.ts'
import { textIn } from '#server/lib/http1/http-response.ts'
import { parseJson } from '#server/lib/json.ts'
import { chatConsumption, understood } from '#server/relay/metering/consumption.ts'
import { createMeter, type Meter } from '#server/relay/metering/meter.ts'
import { refusal } from '#server/relay/refusals.ts'
import { type Ask, bodyOf } from '#server/relay/request/ask.ts'
import type { Reading } from '#server/relay/upstream/outgoing.ts'
import { faultIn } from '#server/relay/upstream/send.ts'
import { messageSeparator, type UpstreamAnswer } from '#server/relay/upstream/upstream-answer.ts'
import { createAnswerHead } from './answer-head.ts'
import type { Readiness } from './deliverable.ts'
import { givesIds } from './gives-ids.ts'
import { createLeavable } from './leavable.ts'
import { jsonType, sseType } from './media-types.ts'
import { type Piece, passThrough, translation } from './passage.ts'
import { createSilentStart, hasLongBlankStart } from './silent-start.ts'
import { nameIn, withModelName } from './whole-body.ts'

type ChatReading = Exclude<Reading, { kind: 'operation' }>

/** Only the dialect that keeps its answers gives them ids others may refer to. */
const keptId = (ask: Ask): { readonly keptId?: string } => (ask.keeping ? { keptId: ask.keeping.answerId } : {})

/** The vendor answered with neither content nor a reason to finish. */
const isNone = (meter: Meter): boolean => meter.finishes() === 0 && !meter.hasContent()

const usedAny = (meter: Meter): boolean => {
  const usage = meter.reported()
  return usage !== null && usage.input + usage.output > 0
}

export async function readyFrames(
  ask: Ask,
  answer: UpstreamAnswer,
  reading: ChatReading,
  gone: AbortSignal,
): Promise<Readiness> {
  const meter = createMeter()
  const client = ask.entrance.door.dialect
  const jsonArray = ask.entrance.jsonArray === true
  const hideUsage = client.usageOnRequest !== undefined && !client.usageOnRequest.isAsked(bodyOf(ask))
  const passage =
    reading.kind === 'same-dialect'
      ? passThrough({
          upstream: reading.upstream,
          client,
          meter,
          hideUsage,
          hideCost: answer.provider.reportsCost === true,
          answers: ask.answers,
          jsonArray,
          model: ask.model,
          ids: givesIds(client.id, bodyOf(ask)),
        })
      : translation({ ...reading, client, meter, jsonArray, now: answer.tools.now(), ...keptId(ask) })
  const first: Piece[] = []
  const start = createSilentStart()
  const chunks = createLeavable(answer.chunks())
  // A comment is no answer yet: after an error behind it the next channel is tried.
  while ((first.length === 0 || !meter.hasBegun()) && !passage.ended() && meter.finishes() < ask.answers) {
    // Who has left waits for nothing that can be shown: the answer has begun, and its prompt is paid.
    const next = meter.hasBegun() ? await chunks.nextUnless(gone) : await chunks.next()
    if (next === null) break
    const { done, value } = next
    answer.silence.reset()
    for (const piece of done ? [] : start.pieces(value)) {
      for (const out of passage.push(piece)) first.push(out)
      if (!meter.hasBegun() && start.isTooLong()) return { ok: false, fault: refusal('emptyAnswer') }
    }
    if (done) first.push(...passage.end())
    const fault = meter.fault()
    if (fault) return { ok: false, fault }
    if (!done) continue
    if (isNone(meter)) return { ok: false, fault: refusal('emptyAnswer') }
    break
  }
  if (!meter.hasBegun()) return { ok: false, fault: refusal('emptyAnswer') }
  return {
    ok: true,
    deliverable: { kind: 'frames', first, chunks, passage, meter, contentType: jsonArray ? jsonType : sseType },
  }
}

export async function readyWhole(ask: Ask, answer: UpstreamAnswer, reading: ChatReading): Promise<Readiness> {
  const { upstream } = reading
  const bytes = await answer.bytes()
  if (hasLongBlankStart(bytes)) return { ok: false, fault: refusal('emptyAnswer') }
  const text = textIn(bytes)
  const body = upstream.framing === 'websocket' ? undefined : parseJson(text)
  const other = upstream.answeredIn?.(body) ?? null
  const events =
    upstream.framing === 'websocket' ? socketEvents(text, reading) : (other ?? upstream).decodeResponse(body)
  const fault = faultIn(events)
  if (fault) return { ok: false, fault }
  const meter = createMeter()
  for (const event of events) meter.see(event)
  if (isNone(meter) && !usedAny(meter)) return { ok: false, fault: refusal('emptyAnswer') }
  const client = ask.entrance.door.dialect
  const { keptId: ownId } = reading.kind === 'translated' ? keptId(ask) : {}
  const ended = meter.finishes() === 0 ? withEnd(events) : events
  const complete = () => createAnswerHead(ask.model, answer.tools.now(), ownId)(ended)
  const consumption = (approximate: boolean) => chatConsumption(ask, meter, approximate)
  const requested = () =>
    reading.kind === 'translated' ? reading.request : (understood(client, bodyOf(ask)) ?? bare(ask))
  if (ask.stream) {
    const jsonArray = ask.entrance.jsonArray === true
    const { body, lastData } = asStream(complete(), client, requested(), jsonArray)
    const contentType = jsonArray ? jsonType : sseType
    return { ok: true, deliverable: { kind: 'whole', body, contentType, consumption, lastData } }
  }
  const whole =
    reading.kind === 'same-dialect' && !other
      ? withModelName(answer.provider, { text, bytes }, nameIn(events), ask.model)
      : { body: JSON.stringify(client.encodeResponse(complete(), requested())) }
  return { ok: true, deliverable: { kind: 'whole', ...whole, contentType: jsonType, consumption } }
}

/** Some vendors give no reason to finish, and the client's dialect requires one. */
const withEnd = (events: readonly ChatEvent[]): ChatEvent[] => [
  ...events,
  { type: 'finish', reason: events.some(({ type }) => type === 'tool-call-start') ? 'tool-calls' : 'stop' },
]

/** The request for the encoder, where the client's body cannot be decoded here. */
const bare = (ask: Ask): ChatRequest => ({
  model: ask.model,
  messages: [],
  stream: true,
  includeUsage: ask.entrance.door.dialect.usageOnRequest?.isAsked(bodyOf(ask)) ?? true,
})

/** A stream for a client that asked for one, from a provider that answered in one piece. */
function asStream(
  events: readonly ChatEvent[],
  client: ClientDialect,
  request: ChatRequest,
  jsonArray: boolean,
): { readonly body: string; readonly lastData: string | undefined } {
  const writer = createFrameWriter(jsonArray ? 'json-array' : 'sse')
  const encoder = client.streamEncoder(request)
  const frames = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()]
  return { body: frames.map((frame) => writer.write(frame)).join('') + writer.end(), lastData: frames.at(-1)?.data }
}

function socketEvents(text: string, { upstream }: ChatReading): ChatEvent[] {
  const decoder = upstream.streamDecoder()
  const messages = text.split(messageSeparator).filter((message) => message !== '')
  return [...messages.flatMap((data) => decoder.push({ data })), ...decoder.end()]
}
