import type { Json } from '#server/dialects/dialect.ts'
import { inTurn } from '#server/lib/in-turn.ts'
import { objectOf, parseJson } from '#server/lib/json.ts'
import { jsonFault, jsonValuesMax } from '#server/lib/json-text.ts'
import type { Operation } from '#server/providers/provider.ts'
import { type RelayFault, refuse } from '#server/relay/refusals.ts'
import { readBytes, readText } from './body.ts'
import { longBytes } from './body-places.ts'
import type { Entrance } from './doors.ts'
import type { InboundRequest } from './inbound-request.ts'
import { refuseLongLists } from './long-lists.ts'

export type JsonBody = { [key: string]: Json | undefined }

export type Payload =
  | { readonly kind: 'json'; readonly text: string; readonly body: JsonBody }
  | { readonly kind: 'form'; readonly bytes: ArrayBuffer; readonly contentType: string; readonly form: FormData }

/** A client's request, understood as far as routing and money need it. */
export interface Ask {
  readonly entrance: Entrance
  readonly model: string
  readonly stream: boolean
  readonly payload: Payload
  /** The longest answer the client allows, in tokens; null when it sets no limit. */
  readonly answerLimit: number | null
  /** How many answers are paid for: every prompt of a list as often as it is to be answered. */
  readonly n: number
  /** How many of them are shown. */
  readonly answers: number
  /** What its log row holds beside its charge. */
  readonly note?: string
  /** Set where the relay keeps the turn itself if its vendor does not. */
  readonly keeping?: Keeping
  /** Set where no client waits: keeps the body of the answer before the hold of this id is settled. */
  readonly inBackground?: (body: string, holdId: string) => Promise<void>
  /** Why a vendor that would understand all of it may not be asked. */
  readonly foreign?: RelayFault
}

/** The fields of its body; none where it came as a form. */
export const bodyOf = ({ payload }: Pick<Ask, 'payload'>): JsonBody => (payload.kind === 'json' ? payload.body : {})

/** What the relay keeps of a turn beside its answer. */
export interface Keeping {
  /** The id of the answer, where it is not the vendor's own. */
  readonly answerId: string
  /** What was said in this turn alone. */
  readonly input: unknown
  /** The response before it; '' when it began the conversation. */
  readonly previous: string
  /** The conversation of ours it is added to; '' when there is none. */
  readonly talkId: string
}

const answerLimitMax = 1_073_741_823

export async function readAsk(entrance: Entrance, inbound: InboundRequest): Promise<Ask> {
  if (entrance.door.payload === 'form') return readForm(entrance, inbound)
  const text = await readText(inbound)
  const body = text.length > longBytes ? await inTurn(() => readJsonObject(text)) : readJsonObject(text)
  return askFromBody(entrance, text, body)
}

/** What takes texts as lists of the numbers of their tokens, too. */
const takesTokens: ReadonlySet<Operation> = new Set(['embeddings', 'completions'])

/** The same from a body that is part of another, such as a line of a batch. */
export function askFromBody(entrance: Entrance, text: string, body: JsonBody): Ask {
  refuseDisguised(body)
  const { door } = entrance
  if (door.operation === 'speech') refuseUnspoken(body)
  refuseLongLists(body, takesTokens.has(door.operation))
  const model = entrance.model ?? textOf(door.modelIn ? door.modelIn(body) : body.model) ?? door.defaultModel
  if (!model) throw refuse('modelMissing')
  const stream = entrance.stream ?? readStream(body.stream)
  if (entrance.model !== undefined) Object.assign(body, { model, stream })
  return {
    entrance,
    model,
    stream,
    payload: { kind: 'json', text, body },
    answerLimit: readLimit(entrance, body),
    ...countAnswers(entrance, body),
  }
}

/** What of a body its client wrote: Google's requests name the model and whether to stream in their path. */
export function writtenFields({ model }: Entrance, body: JsonBody): JsonBody {
  if (model === undefined) return body
  const { model: _model, stream: _stream, ...written } = body
  return written
}

function countAnswers({ door }: Entrance, body: JsonBody): Pick<Ask, 'n' | 'answers'> {
  const paid = readCount(door.count ? door.count(body) : body.n)
  if (door.operation !== 'completions') return { n: paid, answers: paid }
  const prompts = promptsIn(body.prompt)
  return { n: paid * prompts, answers: readCount(body.n) * prompts }
}

/** Texts, or lists of token numbers; one list of numbers is one prompt. */
const promptsIn = (prompt: Json | undefined): number =>
  Array.isArray(prompt) && prompt.length > 0 && typeof prompt[0] !== 'number' ? prompt.length : 1

/** Fields that decide what a request costs. */
const priced: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'stream_options',
  'n',
  'best_of',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  ...(['tools', 'service_tier', 'speed', 'inference_geo', 'modalities', 'models', 'fallbacks', 'deferred'] as const),
  ...(['web_search_options', 'search_parameters', 'plugins', 'web_search', 'enable_search', 'mcp_servers'] as const),
  ...(['background', 'previous_response_id', 'conversation', 'max_tool_calls', 'context_management'] as const),
  ...(['input', 'text', 'ssml', 'instructions', 'size', 'quality', 'seconds', 'prompt', 'messages'] as const),
  'partial_images',
])

/** Some providers read names whatever their case: what is billed must be what they read. */
function refuseDisguised(body: JsonBody): void {
  for (const name in body) {
    if (priced.has(name)) continue
    const plain = name.toUpperCase().toLowerCase()
    if (priced.has(plain)) throw refuse('badName', { name, plain })
  }
}

const faults = { 'too deep': 'tooDeep', 'too many': 'tooManyValues', 'key twice': 'keyTwice' } as const

export function readJsonObject(text: string, valuesMax = jsonValuesMax): JsonBody {
  const fault = jsonFault(text, valuesMax)
  if (fault) throw refuse(faults[fault], { most: valuesMax.toLocaleString('en-US') })
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw refuse('notJson')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refuse('notJson')
  return body as JsonBody
}

async function readForm(entrance: Entrance, inbound: InboundRequest): Promise<Ask> {
  const contentType = inbound.http.headers.get('content-type') ?? ''
  const { buffer: bytes } = await readBytes(inbound)
  refuseManyParts(bytes)
  const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData().catch(() => {
    throw refuse('notForm')
  })
  refuseAmbiguous(form)
  if (recordings.has(entrance.door.operation)) refuseUnmeasured(form)
  const model = textOf(form.get('model')) ?? entrance.door.defaultModel
  if (!model) throw refuse('modelMissing')
  const n = readCount(entrance.door.count?.(formFields(form)))
  return {
    entrance,
    model,
    stream: readStream(spelled[String(form.get('stream') ?? '')] ?? form.get('stream')),
    payload: { kind: 'form', bytes, contentType, form },
    answerLimit: null,
    n,
    answers: n,
  }
}

/** The largest forms hold some pictures and some fields. */
const partsMax = 1000

/** Reading parts takes microseconds each, and nobody else is answered meanwhile. All but the first begin a line with two dashes. */
function refuseManyParts(bytes: ArrayBuffer): void {
  const body = Buffer.from(bytes)
  let parts = 0
  for (let at = body.indexOf('\n--'); at >= 0; at = body.indexOf('\n--', at + 1)) {
    parts += 1
    if (parts > partsMax) throw refuse('tooManyParts', { most: partsMax.toLocaleString('en-US') })
  }
}

/** The texts of a form as the fields of a body: the number of answers as one, settings in brackets or in JSON as what they say. */
function formFields(form: FormData): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of form) {
    if (typeof value !== 'string') continue
    const [, inner] = /\[([^[\]]+)\]$/.exec(name) ?? []
    fields[name] = inner === undefined ? (objectOf(parseJson(value)) ?? value) : { [inner]: value }
  }
  return 'n' in fields ? { ...fields, n: Number(fields.n) } : fields
}

const files: ReadonlySet<string> = new Set(['file', 'image', 'image[]', 'mask', 'input_reference'])

/** What was priced must be what the provider reads: all other form fields are text, and given once unless they are lists. */
function refuseAmbiguous(form: FormData): void {
  const seen = new Set<string>()
  for (const [name, value] of form) {
    if (files.has(name)) continue
    if (typeof value !== 'string') throw refuse('notText', { name: name.slice(0, 60) })
    if (seen.has(name) && !name.endsWith('[]')) throw refuse('fieldTwice', { name: name.slice(0, 60) })
    seen.add(name)
    const [beforeBracket = ''] = name.split('[', 1)
    const plain = beforeBracket.trim().toUpperCase().toLowerCase()
    if (name !== plain && priced.has(plain)) throw refuse('badName', { name: name.slice(0, 60), plain })
  }
}

const recordings: ReadonlySet<Operation> = new Set(['transcriptions', 'translations'])

/** Names under which vendors take a recording that they fetch or keep themselves. */
const elsewhere = ['url', 'file_url', 'file_id']

/** A recording is paid by its length: there must be one, and it must be here. */
function refuseUnmeasured(form: FormData): void {
  const [file, another] = form.getAll('file')
  const name = elsewhere.find((field) => form.has(field)) ?? 'file'
  if (name !== 'file' || another !== undefined || !(file instanceof Blob)) throw refuse('notOneFile', { name })
}

/** Some vendors read what is to be said by other names, or in pieces. */
function refuseUnspoken({ input, text, ssml }: JsonBody): void {
  if (typeof input !== 'string' || (text ?? ssml ?? null) !== null) throw refuse('notSpoken')
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Some providers take 1 or "true" for it as well: what is read here must be what they read. */
function readStream(value: unknown): boolean {
  if (value === undefined || value === null) return false
  if (typeof value === 'boolean') return value
  throw refuse('badSwitch', { param: 'stream' })
}

/** In the spelling of forms. */
const spelled: Readonly<Record<string, boolean>> = { true: true, false: false, '': false }

function readCount(value: unknown): number {
  if (value === undefined || value === null) return 1
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 128) return value
  throw refuse('badCount')
}

function readLimit({ door }: Entrance, body: JsonBody): number | null {
  const value = door.limit?.read(body)
  if (value === undefined || value === null) return null
  const param = door.limit?.param ?? 'max_tokens'
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw refuse('badLimit', { param })
  if (value > answerLimitMax) throw refuse('limitTooHigh', { param, most: answerLimitMax })
  // Many providers take zero for no limit at all.
  return value === 0 ? null : value
}
