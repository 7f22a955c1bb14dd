import type { ChatFault, ChatRequest, TextPart } from '#server/dialects/chat.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { systemText } from '#server/dialects/prompt-parts.ts'
import { type JsonObject, numberOf, objectOf } from '#server/lib/json.ts'
import { words } from '#server/lib/words.ts'
import { variantOf } from '#server/providers/dialect-variant.ts'
import { baseUnless, bearer, endpoint, tasks } from '#server/providers/endpoint.ts'
import { withFormInWords } from '#server/providers/form-in-words.ts'
import { oldNames } from '#server/providers/openai/models.ts'
import type { Body, Provider, Target } from '#server/providers/provider.ts'
import { spark as native } from './dialect.ts'
import { type SparkModel, sparkModel } from './models.ts'
import { signSparkUrl } from './signing.ts'
import { askSpark } from './socket.ts'

/** A key of three parts signs a socket, a key of one part is the password of the OpenAI-shaped endpoint. */
const isNative = (target: Target): boolean => target.key.includes('|')

const modelOf = (target: Target): SparkModel => sparkModel(target.model, target.other)

function errorIn(body: JsonObject): ChatFault | undefined {
  return numberOf(body.code) ? native.decodeError(200, { header: body }) : undefined
}

const compatible = variantOf(openaiChat, { errorIn })

/** The reasoning lines live under versions of their own. */
const versions = words<string>({ x1: '/v2', 'spark-x': '/x2' })

/** Smaller models know neither system messages nor functions: the first become part of the question. */
function withinModel(request: ChatRequest, model: SparkModel): ChatRequest {
  if (model.isCapable) return request
  const system = systemText(request.messages)
  const messages = request.messages.filter((message) => message.role !== 'system' && message.role !== 'developer')
  const lead: TextPart = { type: 'text', text: system ?? '' }
  const first = messages.findIndex((message) => message.role === 'user')
  const asked = messages[first]
  const led =
    asked?.role === 'user'
      ? messages.with(first, { ...asked, parts: [lead, ...asked.parts] })
      : [{ role: 'user' as const, parts: [lead] }, ...messages]
  const asks = system === undefined ? messages : led
  return { ...request, messages: asks, tools: undefined, toolChoice: undefined }
}

function withAccount(body: Body, target: Target): Body {
  const [appId = ''] = target.key.split('|')
  const chat = objectOf(objectOf(body.parameter)?.chat) as Body | undefined
  return {
    ...body,
    header: { ...(objectOf(body.header) as Body | undefined), app_id: appId },
    parameter: { chat: { ...chat, domain: modelOf(target).domain } },
  }
}

/** iFlytek. */
export const spark: Provider = {
  types: [18],
  operations: ['chat'],
  dialect: (target) => (isNative(target) ? native : compatible),
  prepare: (request, target) => (isNative(target) ? withinModel(withFormInWords(request), modelOf(target)) : request),
  adjust: (body, target) =>
    isNative(target)
      ? withAccount(body, target)
      : { ...oldNames(body), model: target.model.startsWith('Spark') ? modelOf(target).domain : target.model },
  call(target, _body, tools) {
    if (isNative(target)) {
      const [, apiSecret = '', apiKey = ''] = target.key.split('|')
      const url = `${target.baseUrl.replace(/^http/, 'ws')}${modelOf(target).path}`
      return { url: signSparkUrl(url, { apiKey, apiSecret }, tools.now()), headers: {} }
    }
    const base = baseUnless(target.baseUrl, ['spark-api.xf-yun.com'], 'https://spark-api-open.xf-yun.com')
    const version = versions[target.model] ?? '/v1'
    return { url: endpoint(base, version, tasks[target.operation]), headers: bearer(target.key) }
  },
  async *socket(target, body, tools) {
    const { url } = await spark.call(target, body, tools)
    yield* askSpark(url, body, tools)
  },
}
