import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { inOrder, numberOf, objectOf } from '#server/lib/json.ts'
import { words } from '#server/lib/words.ts'
import { baseUnless, bearer, endpoint, pathSegment, tasks } from '#server/providers/endpoint.ts'
import { embeddingAnswer, embeddingTexts, numbersOnly } from '#server/providers/float-vectors.ts'
import { withSchemaInWords } from '#server/providers/form-in-words.ts'
import { openaiList } from '#server/providers/model-lists.ts'
import { oldNames } from '#server/providers/openai/models.ts'
import { type OperationCodec, type Provider, type Target, UpstreamFault } from '#server/providers/provider.ts'
import { baiduToken, forgetBaiduToken } from './access-token.ts'
import { baidu as native } from './dialect.ts'

/** Models whose path is not their name in small letters. */
const slugs = words<string>({
  'ERNIE-4.0': 'completions_pro',
  'ERNIE-4.0-8K': 'completions_pro',
  'ERNIE-Bot-4': 'completions_pro',
  'ERNIE-Bot': 'completions',
  'ERNIE-3.5-8K': 'completions',
  'ERNIE-Bot-turbo': 'eb-instant',
  'ERNIE-Lite-8K-0922': 'eb-instant',
  'ERNIE-Speed': 'ernie_speed',
  'ERNIE-Speed-8K': 'ernie_speed',
  'ERNIE-Lite-8K-0308': 'ernie-lite-8k',
  'ERNIE-Bot-8K': 'ernie_bot_8k',
  'BLOOMZ-7B': 'bloomz_7b1',
  'bge-large-zh': 'bge_large_zh',
  'bge-large-en': 'bge_large_en',
  'tao-8k': 'tao_8k',
})

/** A pair of keys belongs to the first version, one key to the OpenAI-shaped second. */
const isNative = (target: Target): boolean => target.key.includes('|')

const nativeEmbeddings: OperationCodec = {
  encode: (body) => ({ input: embeddingTexts(body) }),
  decode(body, target, request) {
    const answer = objectOf(body) ?? {}
    if (numberOf(answer.error_code)) throw new UpstreamFault(native.decodeError(200, answer))
    const vectors = inOrder(answer.data, 'index').map((entry) => entry.embedding)
    return embeddingAnswer(vectors, target.model, numberOf(objectOf(answer.usage)?.total_tokens), request)
  },
}

const embeddings: OperationCodec = {
  encode: (body, target) => (isNative(target) ? nativeEmbeddings : numbersOnly).encode(body, target),
  decode: (body, target, request) => (isNative(target) ? nativeEmbeddings : numbersOnly).decode(body, target, request),
}

const compatibleBase = (base: string): string => baseUnless(base, ['aip.baidubce.com'], 'https://qianfan.baidubce.com')

export const baidu: Provider = {
  types: [15],
  operations: ['chat', 'embeddings', 'images', 'image-edits', 'rerank'],
  dialect: (target) => (isNative(target) ? native : openaiChat),
  prepare: (request, target) => (isNative(target) ? withSchemaInWords(request) : request),
  adjust: (body, target) => (isNative(target) ? body : oldNames(body)),
  async call(target, _body, tools) {
    if (!isNative(target)) {
      return {
        url: endpoint(compatibleBase(target.baseUrl), '/v2', tasks[target.operation]),
        headers: bearer(target.key),
      }
    }
    const query = new URLSearchParams({ access_token: await baiduToken(target, tools) })
    const kind = target.operation === 'embeddings' ? 'embeddings' : 'chat'
    const slug = slugs[target.model] ?? pathSegment(target.model.toLowerCase())
    return { url: `${target.baseUrl}/rpc/2.0/ai_custom/v1/wenxinworkshop/${kind}/${slug}?${query}`, headers: {} }
  },
  async pass(target, { path }, tools) {
    if (!isNative(target)) return { url: `${compatibleBase(target.baseUrl)}${path}`, headers: bearer(target.key) }
    const query = new URLSearchParams({ access_token: await baiduToken(target, tools) })
    return { url: `${target.baseUrl}${path}${path.includes('?') ? '&' : '?'}${query}`, headers: {} }
  },
  codecs: { embeddings },
  models: (target, tools) => openaiList('/v2')({ ...target, baseUrl: compatibleBase(target.baseUrl) }, tools),
  refresh: (fault, target) => fault.status === 401 && isNative(target) && forgetBaiduToken(target),
}
