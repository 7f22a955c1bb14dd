import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { inOrder, numberOf, objectOf, parseObject } from '#server/lib/json.ts'
import { withErrorHint } from '#server/providers/dialect-variant.ts'
import { baseUnless, bearer, endpoint, tasks } from '#server/providers/endpoint.ts'
import { embeddingAnswer, embeddingTexts, numbersOnly } from '#server/providers/float-vectors.ts'
import { withFormInWords } from '#server/providers/form-in-words.ts'
import { openaiList } from '#server/providers/model-lists.ts'
import { oldNames } from '#server/providers/openai/models.ts'
import {
  type OperationCodec,
  type Provider,
  type Target,
  type UpstreamCall,
  UpstreamFault,
} from '#server/providers/provider.ts'
import { tencent as native } from './dialect.ts'
import { tencentV1 } from './dialect-v1.ts'
import { tc3Authorization } from './signing.ts'
import { tencentSha1Signature } from './signing-v1.ts'

const hint =
  'Tencent has switched the Hunyuan platform off (30 September 2026): use a TokenHub key, which has no |, in this channel.'
const oldHost = 'hunyuan.cloud.tencent.com'
const nativeHosts = ['hunyuan.tencentcloudapi.com', oldHost]
const oldPath = '/hyllm/v1/chat/completions'

const signed = withErrorHint(native, hint)
const oldest = withErrorHint(tencentV1, hint)

/** A key of three parts signs requests, a key of one part is for the OpenAI-shaped TokenHub. */
const isSigned = (target: Target): boolean => target.key.includes('|')
const isOldest = (target: Target): boolean => isSigned(target) && new URL(target.baseUrl).hostname === oldHost

function keysOf(target: Target): { appId: string; secretId: string; secretKey: string } {
  const [appId = '', secretId = '', secretKey = ''] = target.key.split('|')
  return { appId, secretId, secretKey }
}

function tc3Call(target: Target, body: string, now: number): UpstreamCall {
  const timestamp = Math.floor(now / 1000)
  const action = target.operation === 'embeddings' ? 'GetEmbedding' : 'ChatCompletions'
  const { host } = new URL(target.baseUrl)
  return {
    url: `${target.baseUrl}/`,
    headers: {
      authorization: tc3Authorization({ ...keysOf(target), host, service: 'hunyuan', action, body, timestamp }),
      'content-type': 'application/json',
      'x-tc-action': action,
      'x-tc-version': '2023-09-01',
      'x-tc-timestamp': String(timestamp),
    },
  }
}

const nativeEmbeddings: OperationCodec = {
  encode: (body) => ({ InputList: embeddingTexts(body) }),
  decode(body, target, request) {
    const answer = objectOf(objectOf(body)?.Response) ?? {}
    if (answer.Error) throw new UpstreamFault(signed.decodeError(200, body))
    const vectors = inOrder(answer.Data, 'Index').map((entry) => entry.Embedding)
    return embeddingAnswer(vectors, target.model, numberOf(objectOf(answer.Usage)?.TotalTokens), request)
  },
}

const embeddings: OperationCodec = {
  encode: (body, target) => (isSigned(target) ? nativeEmbeddings : numbersOnly).encode(body, target),
  decode: (body, target, request) => (isSigned(target) ? nativeEmbeddings : numbersOnly).decode(body, target, request),
}

const hubBase = (base: string): string => baseUnless(base, nativeHosts, 'https://tokenhub.tencentmaas.com')

export const tencent: Provider = {
  types: [23],
  unpricedFields: ['enable_enhancement'],
  operations: ['chat', 'embeddings'],
  dialect: (target) => (isOldest(target) ? oldest : isSigned(target) ? signed : openaiChat),
  prepare: (request, target) => (isSigned(target) ? withFormInWords(request) : request),
  adjust(body, target, tools) {
    if (!isOldest(target)) return isSigned(target) ? body : oldNames(body)
    const { appId, secretId } = keysOf(target)
    const timestamp = Math.floor(tools.now() / 1000)
    const account = { app_id: Number(appId), secret_id: secretId, query_id: crypto.randomUUID() }
    return { ...body, ...account, timestamp, expired: timestamp + 86_400 }
  },
  call(target, body, tools) {
    if (isOldest(target)) {
      const signature = tencentSha1Signature(keysOf(target).secretKey, `${oldHost}${oldPath}`, parseObject(body))
      return { url: `${target.baseUrl}${oldPath}`, headers: { authorization: signature } }
    }
    if (isSigned(target)) return tc3Call(target, body, tools.now())
    return { url: endpoint(hubBase(target.baseUrl), '/v1', tasks[target.operation]), headers: bearer(target.key) }
  },
  codecs: { embeddings },
  models: (target, tools) => openaiList()({ ...target, baseUrl: hubBase(target.baseUrl) }, tools),
  retired: (target) => (isSigned(target) ? hint : undefined),
}
