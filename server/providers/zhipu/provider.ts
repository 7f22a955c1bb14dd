import type { ChatFault } from '#server/dialects/chat.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { clamp } from '#server/lib/clamp.ts'
import { type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { variantOf } from '#server/providers/dialect-variant.ts'
import { bearer, endpoint, pathSegment, tasks } from '#server/providers/endpoint.ts'
import { numbersOnly } from '#server/providers/float-vectors.ts'
import { withFormInWords, withSchemaInMessages } from '#server/providers/form-in-words.ts'
import { openaiList } from '#server/providers/model-lists.ts'
import { oldNames } from '#server/providers/openai/models.ts'
import type { Body, Provider, Target } from '#server/providers/provider.ts'
import { zhipuV3 } from './dialect-v3.ts'
import { zhipuFault } from './fault.ts'
import { zhipuJwt } from './signing.ts'

const day = 86_400_000

/** The number in an error says more than its status: 429 is also used for an empty balance. */
function errorIn(body: JsonObject): ChatFault | undefined {
  const error = objectOf(body.error)
  const code = textOf(error?.code)
  return code && /^\d{4}$/.test(code) ? zhipuFault(code, textOf(error?.message) ?? code) : undefined
}

const v4 = variantOf(openaiChat, { errorIn })
const isOld = (target: Target): boolean => target.model.startsWith('chatglm_')

/** Reasoning is on or off here; how much is not the caller's to say. */
function thinkingOf(body: Body): Body {
  const { reasoning_effort, ...rest } = body
  if (typeof reasoning_effort !== 'string' || rest.thinking !== undefined) return rest
  return { ...rest, thinking: { type: reasoning_effort === 'none' ? 'disabled' : 'enabled' } }
}

function toolsOf(body: Body): Body {
  const { tool_choice, tools, ...rest } = body
  if (!tools || tool_choice === 'none') return rest
  return { ...rest, tools, ...(tool_choice ? { tool_choice: 'auto' } : {}) }
}

function adjust(body: Body): Body {
  const { temperature, top_p, stop, ...rest } = toolsOf(thinkingOf(withSchemaInMessages(oldNames(body))))
  const [heat, share] = [numberOf(temperature), numberOf(top_p)]
  return {
    ...rest,
    ...(heat === undefined ? {} : heat === 0 ? { do_sample: false } : { temperature: clamp(heat, 0, 1) }),
    ...(share === undefined ? {} : { top_p: clamp(share, 0.01, 0.99) }),
    ...(stop === undefined || stop === null ? {} : { stop: Array.isArray(stop) ? stop.slice(0, 1) : [stop] }),
  }
}

function v3Call(target: Target, now: number) {
  const [id = '', secret = ''] = target.key.split('.')
  const action = target.stream ? 'sse-invoke' : 'invoke'
  return {
    url: `${target.baseUrl}/api/paas/v3/model-api/${pathSegment(target.model)}/${action}`,
    headers: { authorization: zhipuJwt(id, secret, now, day) },
  }
}

export const zhipu: Provider = {
  types: [16],
  operations: ['chat', 'embeddings', 'images', 'speech', 'transcriptions'],
  dialect: (target) => (isOld(target) ? zhipuV3 : v4),
  prepare: (request, target) => (isOld(target) ? withFormInWords(request) : request),
  adjust: (body, target) => (target.operation === 'chat' && !isOld(target) ? adjust(body) : body),
  call: (target, _body, tools) =>
    isOld(target)
      ? v3Call(target, tools.now())
      : { url: endpoint(target.baseUrl, '/api/paas/v4', tasks[target.operation]), headers: bearer(target.key) },
  codecs: { embeddings: numbersOnly },
  models: openaiList('/api/paas/v4'),
}
