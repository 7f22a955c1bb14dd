import { refuseUncarried } from '#server/dialects/carried.ts'
import type { ChatRequest } from '#server/dialects/chat.ts'
import { BadRequest, type Json, type UpstreamDialect } from '#server/dialects/dialect.ts'
import { openaiCompletions } from '#server/dialects/openai-completions.ts'
import { withAllowedTools } from '#server/dialects/tools/allowed-tools.ts'
import { withSafeNames } from '#server/dialects/tools/tool-names.ts'
import {
  type AnswerBound,
  type OperationCodec,
  type Provider,
  type Target,
  type Tools,
  UpstreamFault,
} from '#server/providers/provider.ts'
import { RelayFault } from '#server/relay/refusals.ts'
import { type Ask, type JsonBody, writtenFields } from '#server/relay/request/ask.ts'
import { geminiEmbeddingsDoor } from '#server/relay/request/doors.ts'
import { movedRequest } from '#server/relay/routing/api/moved-request.ts'
import type { Overrides } from '#server/relay/routing/overrides.ts'
import { boundedBody } from './bounded-body.ts'
import { geminiEmbeddings, renamedEmbeddings } from './gemini-embeddings.ts'

/** How the answer to a request has to be read. */
export type Reading =
  /** A conversation whose two sides speak one dialect: bytes pass through. */
  | { readonly kind: 'same-dialect'; readonly upstream: UpstreamDialect }
  | { readonly kind: 'translated'; readonly upstream: UpstreamDialect; readonly request: ChatRequest }
  /** Another operation in OpenAI's shape, or with a codec of the provider's. */
  | { readonly kind: 'operation'; readonly codec: OperationCodec | null }

export interface Outgoing {
  readonly body: string | Uint8Array
  readonly contentType: string
  readonly reading: Reading
}

const json = 'application/json'

/** The provider a request is written for, the tools for it, and what its channel changes. */
interface Addressee {
  readonly provider: Provider
  readonly target: Target
  readonly tools: Tools
  readonly overrides: Overrides | null
}

/** The request could not be encoded for a provider because of an error of ours, not of the client or the channel. */
export class Unwritable extends Error {}

/** The body for a provider: the client's own bytes wherever nothing has to change. */
export function outgoing(ask: Ask, to: Addressee): Outgoing | Promise<Outgoing> {
  try {
    const body = bodyFor(ask, to)
    return body instanceof Promise ? body.catch(unwritten) : body
  } catch (error) {
    return unwritten(error)
  }
}

/** Refusals are passed on; any other error is our own. */
function unwritten(error: unknown): never {
  if (error instanceof BadRequest || error instanceof RelayFault || error instanceof UpstreamFault) throw error
  throw new Unwritable('a request could not be written', { cause: error })
}

function bodyFor(ask: Ask, to: Addressee): Outgoing | Promise<Outgoing> {
  const { provider, target } = to
  const { door } = ask.entrance
  if (ask.payload.kind === 'form') return form(ask, target)
  if (door.operation !== 'chat') {
    if (ask.foreign) throw ask.foreign
    return operation(ask, to, ask.payload)
  }
  const upstream = provider.dialect(target)
  const same = upstream.id === door.dialect.id && (provider.passesThrough?.(target, ask.payload.body) ?? true)
  if (same) {
    if (ask.foreign) throw ask.foreign
    const body = rewrite(ask, to, ask.payload)
    return { body, contentType: json, reading: { kind: 'same-dialect', upstream } }
  }
  return translated(ask, to, ask.payload.body)
}

/** Sets `store` and `previous_response_id` in the answer of a turn that the relay keeps. */
function echoOf({ keeping }: Ask, { echo }: ChatRequest): Pick<ChatRequest, 'echo'> {
  if (!keeping) return {}
  const conversation = keeping.talkId === '' ? null : { id: keeping.talkId }
  return { echo: { ...echo, store: true, previous_response_id: keeping.previous || null, conversation } }
}

/** The client's request in another dialect. */
async function translated(ask: Ask, to: Addressee, payload: JsonBody): Promise<Outgoing> {
  const { provider, target, tools } = to
  const { asked, named, upstream } = inWordsOf(ask, to, payload)
  const request = provider.prepare ? await provider.prepare(named, target, tools) : named
  const encoded = upstream.encodeRequest(request) as JsonBody
  return {
    body: JSON.stringify(provider.adjust?.(encoded, target, tools) ?? encoded),
    contentType: json,
    reading: { kind: 'translated', upstream, request: { ...asked, model: ask.model } },
  }
}

/** The request as it was read, and with tool names the dialect accepts. */
function inWordsOf(ask: Ask, to: Addressee, payload: JsonBody) {
  const { provider, target } = to
  const { bound, model } = target
  const dialect = provider.dialect(target)
  const wished = ask.entrance.door.dialect.decodeRequest(payload)
  const limit = boundedLimit(wished.maxOutputTokens, dialect, bound)
  const asked = { ...wished, ...limit, model, stream: ask.stream, ...echoOf(ask, wished) }
  refuseUncarried(asked, dialect)
  const { request: named, upstream } = withSafeNames(withAllowedTools(byApi(asked, ask, to)), dialect)
  return { asked, named, upstream }
}

/** As the API wants it that the relay has chosen. */
function byApi(asked: ChatRequest, ask: Ask, { target: { api }, overrides }: Addressee): ChatRequest {
  if (api?.name === 'responses') return movedRequest(asked, ask, api, overrides)
  return api?.effort ? { ...asked, reasoning: { effort: api.effort } } : asked
}

/** The client's limit, or less where less is held; where the format demands one, the model's own longest answer. */
function boundedLimit(
  own: number | undefined,
  { demandsLimit }: UpstreamDialect,
  { answer, longest }: AnswerBound,
): Pick<ChatRequest, 'maxOutputTokens'> {
  const most = answer ?? (own === undefined && demandsLimit ? longest : null)
  return most === null ? {} : { maxOutputTokens: own === undefined || own <= 0 ? most : Math.min(own, most) }
}

/** The client's body with the provider's name of the model, a request for the usage report and the vendor's adjustments. */
function rewrite(
  ask: Ask,
  { provider, target, tools }: Addressee,
  { text, body }: { text: string; body: JsonBody },
): string {
  const { entrance } = ask
  let changed = writtenFields(entrance, body)
  if (entrance.model === undefined && target.model !== ask.model) changed = { ...body, model: target.model }
  if (target.api?.effort) changed = { ...changed, reasoning_effort: target.api.effort }
  changed = boundedBody(entrance.door.dialect.id, changed, target.bound)
  const { usageOnRequest } = entrance.door.dialect
  const unasked = ask.stream && usageOnRequest && !usageOnRequest.isAsked(body) ? usageOnRequest : null
  const spliced = changed === body ? (unasked?.askInText(text, body) ?? null) : null
  if (unasked) changed = unasked.ask(changed)
  const adjusted = provider.adjust?.(changed, target, tools) ?? changed
  if (adjusted === body) return text
  if (adjusted === changed && spliced !== null) return spliced
  if (entrance.model !== undefined && sameFields(adjusted, body)) return text
  return JSON.stringify(adjusted)
}

/** Gemini's model and stream flag are in the path: a body that differs only in them is sent unchanged. */
const sameFields = (adjusted: JsonBody, body: JsonBody): boolean =>
  Object.keys(adjusted).every((key) => adjusted[key] === body[key]) &&
  Object.keys(body).every((key) => key === 'model' || key === 'stream' || Object.hasOwn(adjusted, key))

function operation(ask: Ask, to: Addressee, payload: { text: string; body: JsonBody }): Outgoing {
  const { provider, target } = to
  if (target.operation === 'completions') {
    const body = rewrite(ask, to, payload)
    return { body, contentType: json, reading: { kind: 'same-dialect', upstream: openaiCompletions } }
  }
  if (ask.entrance.door === geminiEmbeddingsDoor && provider.dialect(target).id === 'gemini') {
    const body = target.model === ask.model ? payload.text : JSON.stringify(renamedEmbeddings(payload.body, target))
    return { body, contentType: json, reading: { kind: 'operation', codec: null } }
  }
  const own = provider.codecs?.[target.operation]
  const codec = ask.entrance.door === geminiEmbeddingsDoor ? geminiEmbeddings(own) : (own ?? null)
  const reading = { kind: 'operation', codec } as const
  if (codec) {
    const encoded = codec.encode({ ...payload.body, model: target.model }, target)
    return { body: JSON.stringify(encoded), contentType: json, reading }
  }
  const untouched = target.model === ask.model && payload.body.model !== undefined
  const body = untouched ? payload.text : JSON.stringify({ ...payload.body, model: target.model } satisfies Json)
  return { body, contentType: json, reading }
}

async function form(ask: Ask, target: Target): Promise<Outgoing> {
  const reading = { kind: 'operation', codec: null } as const
  if (ask.payload.kind !== 'form') throw new Error('not a form')
  const { bytes, contentType, form: fields } = ask.payload
  if (target.model === ask.model && fields.getAll('model').length === 1)
    return { body: new Uint8Array(bytes), contentType, reading }
  const mapped = new FormData()
  for (const [name, value] of fields) if (name !== 'model') mapped.append(name, value)
  mapped.set('model', target.model)
  const encoded = await new Response(mapped).blob()
  return { body: await encoded.bytes(), contentType: encoded.type, reading }
}
