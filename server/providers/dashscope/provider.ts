import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { arrayOf, objectOf, parseObject } from '#server/lib/json.ts'
import { bearer, endpoint, tasks } from '#server/providers/endpoint.ts'
import { openaiList } from '#server/providers/model-lists.ts'
import { oldNames } from '#server/providers/openai/models.ts'
import type { Body, Provider, Target } from '#server/providers/provider.ts'
import { rootOf } from './address.ts'
import { dashscopeEmbeddings, dashscopeImages, dashscopeRerank, drawsAtOnce } from './codecs.ts'
import { dashscope as native } from './dialect.ts'
import { thinksBeside } from './thoughts.ts'

const services = '/api/v1/services'
const compatible = '/compatible-mode/v1'
const searchSuffix = /-internet$/

/** Plugins and the web search of the `-internet` names exist in the native service alone. */
const isNative = (target: Target): boolean => target.other !== '' || searchSuffix.test(target.model)

/** A budget for thoughts no larger than is held for them. */
function withBudget(settings: Body, { bound: { thoughts } }: Target): Body {
  const { thinking_budget: own } = settings
  if (thoughts === null || (typeof own === 'number' && own > 0 && own <= thoughts)) return settings
  return { ...settings, thinking_budget: thoughts }
}

function nativeBody(body: Body, target: Target): Body {
  if (!searchSuffix.test(target.model)) return body
  const parameters = objectOf(body.parameters) as Body | undefined
  return { ...body, model: target.model.replace(searchSuffix, ''), parameters: { ...parameters, enable_search: true } }
}

function compatibleBody(body: Body): Body {
  const { reasoning_effort, ...rest } = oldNames(body)
  if (typeof reasoning_effort !== 'string' || rest.enable_thinking !== undefined) return rest
  return { ...rest, enable_thinking: reasoning_effort !== 'none' }
}

function seesMore(body: string): boolean {
  const messages = arrayOf(objectOf(parseObject(body).input)?.messages)
  return messages.some((message) => Array.isArray(objectOf(message)?.content))
}

function urlOf(target: Target, body: string): string {
  const root = rootOf(target)
  const at = (path: string) => `${root}${services}${path}`
  if (target.operation === 'embeddings') return at('/embeddings/text-embedding/text-embedding')
  if (target.operation === 'rerank') return at('/rerank/text-rerank/text-rerank')
  if (target.operation === 'images')
    return at(drawsAtOnce(target.model) ? '/aigc/multimodal-generation/generation' : '/aigc/text2image/image-synthesis')
  if (target.operation === 'chat' && isNative(target))
    return at(seesMore(body) ? '/aigc/multimodal-generation/generation' : '/aigc/text-generation/generation')
  return endpoint(root, compatible, tasks[target.operation])
}

/** Alibaba Model Studio. */
export const dashscope: Provider = {
  types: [17],
  operations: ['chat', 'completions', 'embeddings', 'images', 'rerank'],
  dialect: (target) => (isNative(target) ? native : openaiChat),
  thinksBeside,
  adjust(body, target) {
    if (target.operation !== 'chat') return body
    if (!isNative(target)) return withBudget(compatibleBody(body), target)
    const parameters = withBudget((objectOf(body.parameters) ?? {}) as Body, target)
    return nativeBody(target.bound.thoughts === null ? body : { ...body, parameters }, target)
  },
  call(target, body) {
    const isTicket = target.operation === 'images' && !drawsAtOnce(target.model)
    const streams = target.operation === 'chat' && target.stream && isNative(target)
    return {
      url: urlOf(target, body),
      headers: {
        ...bearer(target.key),
        ...(isTicket ? { 'x-dashscope-async': 'enable' } : {}),
        ...(streams ? { accept: 'text/event-stream', 'x-dashscope-sse': 'enable' } : {}),
        ...(target.other === '' ? {} : { 'x-dashscope-plugin': target.other }),
      },
    }
  },
  models: (target, tools) => openaiList(compatible)({ ...target, baseUrl: rootOf(target) }, tools),
  codecs: { embeddings: dashscopeEmbeddings, images: dashscopeImages, rerank: dashscopeRerank },
}
