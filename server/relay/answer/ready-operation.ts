import { faultOfBody } from '#server/dialects/error-body.ts'
import { unreadable } from '#server/dialects/fault.ts'
import { textIn, wholeBytesMax } from '#server/lib/http1/http-response.ts'
import { type JsonObject, objectOf, parseJson, textOf } from '#server/lib/json.ts'
import { Pieces } from '#server/lib/streams/pieces.ts'
import { type Operation, UpstreamFault } from '#server/providers/provider.ts'
import { operationConsumption } from '#server/relay/metering/operation-consumption.ts'
import { refusal } from '#server/relay/refusals.ts'
import { type Ask, bodyOf } from '#server/relay/request/ask.ts'
import type { Reading } from '#server/relay/upstream/outgoing.ts'
import type { UpstreamAnswer } from '#server/relay/upstream/upstream-answer.ts'
import type { Deliverable, Readiness } from './deliverable.ts'
import { isEmpty } from './empty-operation.ts'
import { jsonType, pageType, safeType } from './media-types.ts'
import { hasLongBlankStart } from './silent-start.ts'
import { byTail, faultAtEnd, pictureOperations } from './tail.ts'
import { presentable, type WholeBody, withModelName } from './whole-body.ts'

type Bytes = Extract<Deliverable, { kind: 'bytes' }>
type Codec = Extract<Reading, { kind: 'operation' }>['codec']

export async function readyOperation(ask: Ask, answer: UpstreamAnswer, codec: Codec): Promise<Readiness> {
  const contentType = safeType(answer.header('content-type'))
  if (!codec && mayBeBytes(ask, contentType)) return readyBytes(ask, answer, contentType)
  const read = pictureOperations.has(ask.entrance.door.operation) ? await readLong(answer) : await answer.bytes()
  if (!(read instanceof Uint8Array)) {
    if (codec) return { ok: false, fault: unreadable() }
    return { ok: true, deliverable: { kind: 'bytes', ...read, contentType: jsonType, consumption: byTail(ask) } }
  }
  if (hasLongBlankStart(read)) return { ok: false, fault: refusal('emptyAnswer') }
  const text = textIn(read)
  const body = objectOf(parseJson(text))
  if (!body) return { ok: false, fault: unreadable() }
  if (body.error) return { ok: false, fault: faultOfBody(200, body) }
  if (codec) return await readyDecoded(ask, answer, codec, body)
  if (isEmpty(ask, body)) return { ok: false, fault: refusal('emptyAnswer') }
  const vendors = namesModel(ask) ? textOf(body.model) : undefined
  return readyBody(ask, body, withModelName(answer.provider, { text, bytes: read }, vendors, ask.model))
}

/** The answer of a vendor with a shape of its own, in the shape of the door. */
async function readyDecoded(
  ask: Ask,
  { target, tools, provider }: UpstreamAnswer,
  codec: NonNullable<Codec>,
  body: JsonObject,
): Promise<Readiness> {
  try {
    const collected = codec.collect ? await codec.collect(body, target, tools) : body
    const decoded = asAskedFor(ask, codec.decode(collected, target, bodyOf(ask)))
    if (isEmpty(ask, decoded)) return { ok: false, fault: refusal('emptyAnswer') }
    return readyBody(ask, decoded, { body: presentable(provider, JSON.stringify(decoded)) })
  } catch (error) {
    if (error instanceof UpstreamFault) return { ok: false, fault: error.fault }
    throw error
  }
}

/** What is counted in `answer` is paid, and `whole` is sent. */
function readyBody(ask: Ask, answer: unknown, whole: WholeBody): Readiness {
  const consumption = (approximate: boolean) => operationConsumption(ask, answer, approximate)
  const added = counted(ask, asAskedFor(ask, answer))
  return { ok: true, deliverable: { kind: 'whole', ...whole, contentType: jsonType, consumption, ...added } }
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
