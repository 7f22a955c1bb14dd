import type { ChatEvent, ChatFault, ChatRequest } from '#server/dialects/chat.ts'
import type { ClientDialect } from '#server/dialects/dialect.ts'
import { faultOfBody } from '#server/dialects/error-body.ts'
import { unreadable } from '#server/dialects/fault.ts'
import { createFrameWriter } from '#server/dialects/framing.ts'
import { textIn, wholeBytesMax } from '#server/lib/http1/http-response.ts'
import { objectOf, parseJson, textOf } from '#server/lib/json.ts'
import { Pieces } from '#server/lib/streams/pieces.ts'
import { type Operation, UpstreamFault } from '#server/providers/provider.ts'
import type { Consumption } from '#server/relay/metering/charges.ts'
import { chatConsumption, understood } from '#server/relay/metering/consumption.ts'
import { createMeter, type Meter } from '#server/relay/metering/meter.ts'
import { operationConsumption } from '#server/relay/metering/operation-consumption.ts'
import { refusal } from '#server/relay/refusals.ts'
import { type Ask, bodyOf } from '#server/relay/request/ask.ts'
import type { Reading } from '#server/relay/upstream/outgoing.ts'
import { faultIn, streamFramed } from '#server/relay/upstream/send.ts'
import { messageSeparator, type UpstreamAnswer } from '#server/relay/upstream/upstream-answer.ts'
import { createAnswerHead } from './answer-head.ts'
import { isEmpty } from './empty-operation.ts'
import { givesIds } from './gives-ids.ts'
import { jsonType, pageType, safeType, sseType } from './media-types.ts'
import { type Passage, type Piece, passThrough, translation } from './passage.ts'
import { byTail, faultAtEnd, pictureOperations, type Tail } from './tail.ts'
import { nameIn, presentable, type WholeBody, withModelName } from './whole-body.ts'

/** An answer that will be shown: from here on no other channel is tried. */
export type Deliverable =
  /** Complete in memory. */
  | (WholeBody & {
      readonly kind: 'whole'
      readonly contentType: string
      consumption(approximate: boolean): Consumption | Promise<Consumption>
      /** The data of the event that closed the answer, when the body is a stream. */
      readonly lastData?: string | undefined
      /** The body with the usage that was counted here, for vendors that report none. */
      complete?(consumption: Consumption): string
    })
  /** Frames that arrive; `first` is what they brought so far. */
  | {
      readonly kind: 'frames'
      readonly first: Piece[]
      readonly chunks: AsyncIterator<Uint8Array>
      readonly passage: Passage
      readonly meter: Meter
      readonly contentType: string
    }
  /** Bytes that are passed on unread, such as sound; `tail` is the end of them. */
  | {
      readonly kind: 'bytes'
      readonly first: Uint8Array
      readonly chunks: AsyncIterator<Uint8Array>
      readonly contentType: string
      consumption(approximate: boolean, tail: Tail): Promise<Consumption>
    }

export type Readiness =
  | { readonly ok: true; readonly deliverable: Deliverable }
  | { readonly ok: false; readonly fault: ChatFault }

/** Reads an answer as far as needed to know that it is one. */
export function makeReady(ask: Ask, answer: UpstreamAnswer): Promise<Readiness> {
  const { reading } = answer
  if (reading.kind === 'operation') return readyOperation(ask, answer, reading.codec)
  if (ask.stream && streamFramed(answer.header('content-type'), reading.upstream))
    return readyFrames(ask, answer, reading)
  return readyWhole(ask, answer, reading)
}

type Bytes = Extract<Deliverable, { kind: 'bytes' }>
type ChatReading = Exclude<Reading, { kind: 'operation' }>

/** Only the dialect that keeps its answers gives them ids others may refer to. */
const keptId = (ask: Ask): { readonly keptId?: string } => (ask.keeping ? { keptId: ask.keeping.answerId } : {})

/** The vendor answered with neither content nor a reason to finish. */
const isNone = (meter: Meter): boolean => meter.finishes() === 0 && !meter.hasContent()

const usedAny = (meter: Meter): boolean => {
  const usage = meter.reported()
  return usage !== null && usage.input + usage.output > 0
}

async function readyFrames(ask: Ask, answer: UpstreamAnswer, reading: ChatReading): Promise<Readiness> {
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
  const chunks = answer.chunks()
  // A comment is no answer yet: after an error behind it the next channel is tried.
  while ((first.length === 0 || !meter.hasBegun()) && !passage.ended() && meter.finishes() < ask.answers) {
    const { done, value } = await chunks.next()
    answer.silence.reset()
    first.push(...(done ? passage.end() : passage.push(value)))
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

async function readyWhole(ask: Ask, answer: UpstreamAnswer, reading: ChatReading): Promise<Readiness> {
  const { upstream } = reading
  const bytes = await answer.bytes()
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

async function readyOperation(
  ask: Ask,
  answer: UpstreamAnswer,
  codec: Extract<Reading, { kind: 'operation' }>['codec'],
): Promise<Readiness> {
  const contentType = safeType(answer.header('content-type'))
  if (!codec && mayBeBytes(ask, contentType)) return readyBytes(ask, answer, contentType)
  const read = pictureOperations.has(ask.entrance.door.operation) ? await readLong(answer) : await answer.bytes()
  if (!(read instanceof Uint8Array)) {
    if (codec) return { ok: false, fault: unreadable() }
    return { ok: true, deliverable: { kind: 'bytes', ...read, contentType: jsonType, consumption: byTail(ask) } }
  }
  const text = textIn(read)
  const body = objectOf(parseJson(text))
  if (!body) return { ok: false, fault: unreadable() }
  if (body.error) return { ok: false, fault: faultOfBody(200, body) }
  if (!codec && isEmpty(ask, body)) return { ok: false, fault: refusal('emptyAnswer') }
  if (!codec) {
    const vendors = namesModel(ask) ? textOf(body.model) : undefined
    const consumption = (approximate: boolean) => operationConsumption(ask, body, approximate)
    const whole = {
      kind: 'whole',
      ...withModelName(answer.provider, { text, bytes: read }, vendors, ask.model),
      contentType: jsonType,
      consumption,
    } as const
    return { ok: true, deliverable: { ...whole, ...counted(ask, asAskedFor(ask, body)) } }
  }
  try {
    const collected = codec.collect ? await codec.collect(body, answer.target, answer.tools) : body
    const decoded = asAskedFor(ask, codec.decode(collected, answer.target, bodyOf(ask)))
    if (isEmpty(ask, decoded)) return { ok: false, fault: refusal('emptyAnswer') }
    const consumption = (approximate: boolean) => operationConsumption(ask, decoded, approximate)
    const whole = {
      kind: 'whole',
      body: presentable(answer.provider, JSON.stringify(decoded)),
      contentType: jsonType,
      consumption,
    } as const
    return { ok: true, deliverable: { ...whole, ...counted(ask, decoded) } }
  } catch (error) {
    if (error instanceof UpstreamFault) return { ok: false, fault: error.fault }
    throw error
  }
}

/** Only answers in OpenAI's shape repeat the model that was asked for; Google's hold a resource name. */
const namesModel = (ask: Ask): boolean => ask.entrance.door.dialect.id === 'openai-chat'

/** The answer with the model's name as the client asked for it, where the answer names a model. */
function asAskedFor(ask: Ask, answer: unknown): unknown {
  const body = objectOf(answer)
  return body && namesModel(ask) && textOf(body.model) !== undefined ? { ...body, model: ask.model } : answer
}

/** OpenAI's embeddings always say how many tokens were read: where the vendor does not, those we counted. */
function counted(ask: Ask, answer: unknown): Pick<Extract<Deliverable, { kind: 'whole' }>, 'complete'> {
  const body = objectOf(answer)
  const { operation, dialect } = ask.entrance.door
  if (operation !== 'embeddings' || dialect.id !== 'openai-chat' || !body || body.usage) return {}
  return {
    complete(consumption) {
      const tokens = consumption.by === 'tokens' ? consumption.usage.input : 0
      return JSON.stringify({ ...body, usage: { prompt_tokens: tokens, total_tokens: tokens } })
    },
  }
}

/** The whole answer; or, of one too long to be kept in memory, the first part and an iterator for the rest. */
async function readLong(answer: UpstreamAnswer): Promise<Buffer | Pick<Bytes, 'first' | 'chunks'>> {
  const chunks = answer.chunks()
  const pieces = new Pieces()
  for (let piece = await chunks.next(); !piece.done; piece = await chunks.next()) {
    answer.silence.reset()
    pieces.add(piece.value)
    if (pieces.size > wholeBytesMax) return { first: pieces.take(), chunks }
  }
  return pieces.take()
}

/** Operations whose answers are something else than JSON: sound, plain transcripts, subtitles. */
const byteOperations: ReadonlySet<Operation> = new Set(['speech', 'transcriptions', 'translations'])

/** Unless they are JSON, sound and transcripts are bytes; pictures only when a stream of events was asked for. */
const mayBeBytes = (ask: Ask, contentType: string): boolean => {
  if (contentType === jsonType || contentType === pageType) return false
  return byteOperations.has(ask.entrance.door.operation) || (ask.stream && contentType.startsWith('text/event-stream'))
}

async function readyBytes(ask: Ask, answer: UpstreamAnswer, contentType: string): Promise<Readiness> {
  const chunks = answer.chunks()
  const { done, value } = await chunks.next()
  if (done || value.length === 0) return { ok: false, fault: refusal('emptyAnswer') }
  const fault = contentType.startsWith('text/event-stream') ? faultAtEnd(textIn(Buffer.from(value))) : null
  if (fault) return { ok: false, fault }
  return { ok: true, deliverable: { kind: 'bytes', first: value, chunks, contentType, consumption: byTail(ask) } }
}
