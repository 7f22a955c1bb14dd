import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import type { ClientDialect } from '#server/dialects/dialect.ts'
import { gemini } from '#server/dialects/gemini/gemini.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import { decoded } from '#server/lib/text/decoded.ts'
import type { Operation } from '#server/providers/provider.ts'
import type { InboundRequest } from './inbound-request.ts'
import { picturesCount } from './picture-counts.ts'

type Fields = Readonly<Record<string, unknown>>

/** A way into the relay: one path, one operation, one dialect for requests, answers and errors. */
export interface Door {
  readonly operation: Operation
  readonly dialect: ClientDialect
  readonly payload: 'json' | 'form'
  /** Where the client limits the length of the answer: the field's name for messages, and how to read it. */
  readonly limit?: { readonly param: string; read(body: Fields): unknown }
  /** Reads how many answers the client wants, where that is not in `n`. */
  readonly count?: (body: Fields) => unknown
  readonly defaultModel?: string
  /** The model in a body that names it in a way of its own. */
  readonly modelIn?: (body: Fields) => unknown
}

/** A door with what the path itself holds. */
export interface Entrance {
  readonly door: Door
  readonly model?: string
  readonly stream?: boolean
  /** Gemini answers a stream as one JSON array unless `alt=sse`. */
  readonly jsonArray?: boolean
}

const openai = (operation: Operation, more: Partial<Door> = {}): Door => ({
  operation,
  dialect: openaiChat,
  payload: 'json',
  ...more,
})

/** The largest of what is given; what is no number as it is. */
function largestOf(values: readonly unknown[]): unknown {
  const given = values.filter((value) => value != null)
  const odd = given.find((value) => typeof value !== 'number')
  return given.length === 0 ? undefined : (odd ?? Math.max(...given.map(Number)))
}

/** The same of limits, of which zero is none at all to many providers. */
function loosestOf(values: readonly unknown[]): unknown {
  const largest = largestOf(values)
  return typeof largest === 'number' && values.includes(0) ? 0 : largest
}

/** Which of the two names counts is the provider's choice, so the larger limit is held. */
const chatLimit = {
  param: 'max_tokens',
  read: ({ max_completion_tokens: today, max_tokens: before }: Fields) => loosestOf([today, before]),
}

const one = () => 1
/** Old completions may be asked to choose the best of many, all of which are paid. */
const completionsCount = ({ n, best_of: bestOf }: Fields) =>
  typeof n !== 'number' || (typeof bestOf === 'number' && bestOf > n) ? (bestOf ?? n) : n

/** Google reads every name in two spellings, and nobody knows which counts when both are there: the larger is held. */
function geminiSettings(body: Fields, camel: string, snake: string): unknown[] {
  const configs = [body.generationConfig, body.generation_config].map((config) => (config ?? {}) as Fields)
  return configs.flatMap((config) => [config[camel], config[snake]])
}

export const geminiChat: Door = {
  operation: 'chat',
  dialect: gemini,
  payload: 'json',
  limit: {
    param: 'generationConfig.maxOutputTokens',
    read: (body) => loosestOf(geminiSettings(body, 'maxOutputTokens', 'max_output_tokens')),
  },
  count: (body) => largestOf(geminiSettings(body, 'candidateCount', 'candidate_count')),
}

/** Every door with a fixed path. */
export const doors: Readonly<Record<string, Door>> = {
  '/v1/chat/completions': openai('chat', { limit: chatLimit }),
  '/v1/completions': openai('completions', { limit: chatLimit, count: completionsCount }),
  '/v1/embeddings': openai('embeddings'),
  '/v1/moderations': openai('moderations', { defaultModel: 'omni-moderation-latest' }),
  '/v1/images/generations': openai('images', { defaultModel: 'dall-e-2', count: picturesCount }),
  '/v1/images/edits': openai('image-edits', { payload: 'form', defaultModel: 'dall-e-2', count: picturesCount }),
  '/v1/images/variations': openai('image-variations', {
    payload: 'form',
    defaultModel: 'dall-e-2',
    count: picturesCount,
  }),
  '/v1/audio/speech': openai('speech'),
  '/v1/audio/transcriptions': openai('transcriptions', { payload: 'form', defaultModel: 'whisper-1' }),
  '/v1/audio/translations': openai('translations', { payload: 'form', defaultModel: 'whisper-1' }),
  '/v1/rerank': openai('rerank'),
  '/v2/rerank': openai('rerank'),
  '/v1/responses': {
    operation: 'chat',
    dialect: openaiResponses,
    payload: 'json',
    limit: { param: 'max_output_tokens', read: (body) => body.max_output_tokens },
    count: one,
  },
  '/v1/responses/compact': {
    operation: 'compact',
    dialect: openaiResponses,
    payload: 'json',
    limit: { param: 'max_output_tokens', read: (body) => body.max_output_tokens },
    count: one,
  },
  '/v1/messages': {
    operation: 'chat',
    dialect: anthropicMessages,
    payload: 'json',
    limit: { param: 'max_tokens', read: (body) => body.max_tokens },
    count: one,
  },
}

/** Pictures a model draws for each prompt when the request gives no number. */
const usualPictures = 4

/** Google's models that draw. */
const predictDoor: Door = {
  operation: 'predict',
  dialect: gemini,
  payload: 'json',
  count({ instances, parameters }) {
    const { sampleCount, sample_count: spelled } = (parameters ?? {}) as Fields
    const each = largestOf([sampleCount, spelled]) ?? usualPictures
    const prompts = Array.isArray(instances) ? Math.max(1, instances.length) : 1
    return typeof each === 'number' ? prompts * each : each
  },
}

/** Content that Google keeps: reading it in and keeping it costs. */
const cachesDoor: Door = {
  operation: 'caches',
  dialect: gemini,
  payload: 'json',
  count: one,
  modelIn: ({ model }) => (typeof model === 'string' ? model.replace(/^models\//, '') : model),
}

const cachesPath = /^\/v1(?:beta|alpha)?\/cachedContents$/

const geminiPath =
  /^\/v1(?:beta|alpha)?\/models\/(.+):(generateContent|streamGenerateContent|embedContent|batchEmbedContents|predict)$/

/** The addresses of all doors, to suggest one for an unknown address. */
export const doorAddresses = [
  ...Object.keys(doors),
  '/v1beta/cachedContents',
  ...['generateContent', 'streamGenerateContent', 'embedContent', 'batchEmbedContents', 'predict'].map(
    (action) => `/v1beta/models/{model}:${action}`,
  ),
].map((path) => ({ method: 'POST', path }))

/** Gemini's embeddings: the body is Gemini's own, asked of a provider through the embeddings operation. */
export const geminiEmbeddingsDoor: Door = { operation: 'embeddings', dialect: gemini, payload: 'json' }

/** The door a POST goes through, or null. */
export function findEntrance(url: URL): Entrance | null {
  const door = doors[url.pathname]
  if (door) return { door }
  if (cachesPath.test(url.pathname)) return { door: cachesDoor }
  const [, model, action] = geminiPath.exec(decoded(url.pathname)) ?? []
  if (model === undefined || action === undefined) return null
  if (action.toLowerCase().includes('embed')) return { door: geminiEmbeddingsDoor, model, stream: false }
  if (action === 'predict') return { door: predictDoor, model, stream: false }
  const stream = action === 'streamGenerateContent'
  return { door: geminiChat, model, stream, jsonArray: stream && url.searchParams.get('alt') !== 'sse' }
}

const clientDialects = new Set([...Object.values(doors), geminiChat].map((door) => door.dialect))

/** The dialect a call is answered in: of its door, else the one that recognises it, else OpenAI's. */
export function dialectOf({ http, url }: Pick<InboundRequest, 'http' | 'url'>): ClientDialect {
  const entrance = findEntrance(url)
  if (entrance) return entrance.door.dialect
  const hasHeader = (name: string) => http.headers.has(name)
  return [...clientDialects].find((dialect) => dialect.recognises(url.pathname, hasHeader)) ?? openaiChat
}
