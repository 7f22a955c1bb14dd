import type { ChatRequest, Effort } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { effortOf, nearestEffort } from '#server/dialects/reasoning-effort.ts'
import { arrayOf, objectOf } from '#server/lib/json.ts'
import { withFormInWords } from '#server/providers/form-in-words.ts'
import type { Body } from '#server/providers/provider.ts'
import { apiFactsOf } from './api-facts.ts'

/** The o series and everything from gpt-5 on; gpt-35 is how Azure writes gpt-3.5. */
const isNew = (model: string): boolean => /^(o\d|gpt-([5-9]|[12]\d))/.test(model)

/** Chat variants of the new models do not reason. */
const isReasoning = (model: string): boolean => isNew(model) && !/-chat(-|$)/.test(model)

/** Models that know neither how much to think nor how much to say. */
const lacksEffort = (model: string): boolean =>
  /^(gpt-[34]|chatgpt)/.test(model) || (isNew(model) && !isReasoning(model))

const versionOf = (model: string): number => Number(/^gpt-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? 0)

/** The least a reasoning model thinks where thinking cannot be switched off. */
function leastEffort(model: string): Effort {
  const version = versionOf(model)
  if (version > 0 && /-pro(-|$)/.test(model)) return version === 5 ? 'high' : 'medium'
  if (/^o\d|-codex|^gpt-6-astra/.test(model) || version > 6) return 'low'
  return version === 5 ? 'minimal' : 'none'
}

function mostEffort(model: string): Effort {
  const version = versionOf(model)
  if (version >= 5.6) return 'max'
  return version >= 5.2 || model.includes('-codex-max') ? 'xhigh' : 'high'
}

/** The nearest effort the model knows: it refuses others. Those that can switch it off have no word between `none` and `low`. */
function knownEffort(model: string, asked: Effort): Effort {
  const least = leastEffort(model)
  return least === 'none' && asked === 'minimal' ? 'low' : nearestEffort(asked, least, mostEffort(model))
}

/** New models refuse `max_tokens` by name. */
export function renameLimit(body: Body, model: string): Body {
  if (body.max_tokens === undefined || !isNew(model)) return body
  const { max_tokens, ...rest } = body
  return { ...rest, max_completion_tokens: rest.max_completion_tokens ?? max_tokens }
}

const isDeveloper = (message: unknown): boolean => objectOf(message)?.role === 'developer'

/** The older name of the limit. */
export function oldLimit(body: Body): Body {
  const { max_completion_tokens, ...rest } = body
  return max_completion_tokens === undefined ? body : { ...rest, max_tokens: rest.max_tokens ?? max_completion_tokens }
}

/** The older names of the limit and of who instructs, for vendors that know no others. */
export function oldNames(body: Body): Body {
  const limited = oldLimit(body)
  if (!arrayOf(limited.messages).some(isDeveloper)) return limited
  const messages = arrayOf(limited.messages).map((message) =>
    isDeveloper(message) ? { ...objectOf(message), role: 'system' } : message,
  )
  return { ...limited, messages: messages as Json[] }
}

const isObjectForm = ({ type, anyOf, oneOf }: Record<string, unknown>): boolean =>
  type === undefined ? !anyOf && !oneOf : type === 'object'

/** OpenAI takes objects alone for the form of an answer. */
function withObjectForm(request: ChatRequest): ChatRequest {
  const { model, responseFormat: form } = request
  if (form?.type !== 'json-schema' || isObjectForm(form.schema)) return request
  return lacksEffort(model) || isNew(model) ? withFormInWords(request) : request
}

/** Models that never take tools in chat do not know the effort `none` either. */
function withoutLackedEffort(request: ChatRequest): ChatRequest {
  if (!request.tools?.length || effortOf(request.reasoning) !== 'none') return request
  const { apis, toolsInChat } = apiFactsOf(request.model)
  return apis.includes('chat') && toolsInChat === 'never' ? { ...request, reasoning: undefined } : request
}

/**
 * What a model refuses, left out of a translated request: its client cannot know of the refusal. Not what would be missed in
 * the answer.
 */
export function withinModel(asks: ChatRequest): ChatRequest {
  const request = withObjectForm(withoutLackedEffort(asks))
  const { model } = request
  if (lacksEffort(model)) return { ...request, reasoning: undefined, verbosity: undefined }
  if (!isReasoning(model)) return request
  const asked = effortOf(request.reasoning)
  const effort = asked && knownEffort(model, asked)
  const kept = {
    ...request,
    ...(asked === effort ? {} : { reasoning: { ...request.reasoning, effort } }),
    ...(/^o[34]/.test(model) ? { stop: undefined } : {}),
  }
  if (effort === 'none') return kept
  return {
    ...kept,
    temperature: undefined,
    topP: undefined,
    presencePenalty: undefined,
    frequencyPenalty: undefined,
  }
}
