import type { ChatFault } from '#server/dialects/chat.ts'
import { type FaultKind, faultOfKind } from '#server/dialects/fault.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { arrayOf, type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { variantOf } from '#server/providers/dialect-variant.ts'
import { endpoint, tasks } from '#server/providers/endpoint.ts'
import { embeddingAnswer, embeddingTexts } from '#server/providers/float-vectors.ts'
import { openaiList } from '#server/providers/model-lists.ts'
import { oldNames } from '#server/providers/openai/models.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'
import { type OperationCodec, type Target, UpstreamFault } from '#server/providers/provider.ts'

const faultKinds: Record<number, FaultKind> = {
  1001: 'overloaded',
  1002: 'rate',
  1004: 'credentials',
  1008: 'unpaid',
  1026: 'filtered',
  1027: 'filtered',
  1039: 'rate',
  1042: 'invalid',
  2013: 'invalid',
  2049: 'credentials',
  2056: 'quota',
}

/** Errors come with HTTP 200. */
function errorIn(body: JsonObject): ChatFault | undefined {
  const answer = objectOf(body.base_resp)
  const code = numberOf(answer?.status_code) ?? 0
  if (code === 0) return undefined
  return faultOfKind(
    faultKinds[code] ?? 'internal',
    textOf(answer?.status_msg) ?? `MiniMax error ${code}`,
    String(code),
  )
}

/** The older models end their stream with the whole answer once more, of which the usage alone is new. */
function withoutRepetition(chunk: JsonObject, streaming: boolean): JsonObject {
  return streaming && chunk.object === 'chat.completion' ? { ...chunk, choices: [] } : chunk
}

const dialect = variantOf(openaiChat, { errorIn, rewrite: withoutRepetition })

/** Its own task, which the older models need; an address that ends with it wants it for all. */
const native = '/text/chatcompletion_v2'
const isNative = (target: Target): boolean => target.model.startsWith('abab') || target.baseUrl.endsWith(native)
const rootOf = (base: string): string => (base.endsWith(native) ? base.slice(0, -native.length) : base)

const embeddings: OperationCodec = {
  encode: (body, target) => ({ model: target.model, texts: embeddingTexts(body), type: 'db' }),
  decode(body, target, request) {
    const answer = objectOf(body) ?? {}
    const fault = errorIn(answer)
    if (fault) throw new UpstreamFault(fault)
    return embeddingAnswer(arrayOf(answer.vectors), target.model, numberOf(answer.total_tokens), request)
  },
}

export const minimax = openaiFamily({
  types: [27],
  operations: ['chat', 'embeddings'],
  dialect: () => dialect,
  codecs: { embeddings },
  models: (target, tools) => openaiList()({ ...target, baseUrl: rootOf(target.baseUrl) }, tools),
  url(target) {
    const task = target.operation === 'chat' && isNative(target) ? native : tasks[target.operation]
    return endpoint(rootOf(target.baseUrl), '/v1', task)
  },
  adjust(body, target) {
    // Without this the reasoning stands inside the text, where no other dialect would look for it.
    const isTranslated = target.operation === 'chat' && target.clientDialect !== dialect.id && !isNative(target)
    return isTranslated ? { ...oldNames(body), reasoning_split: true } : oldNames(body)
  },
  passesThrough: (target) => !(isNative(target) && target.stream),
})
