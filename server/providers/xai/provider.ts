import type { ChatRequest, Effort } from '#server/dialects/chat.ts'
import { effortOf, nearestEffort } from '#server/dialects/reasoning-effort.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'

const reasons = (model: string): boolean => !/non-reasoning|^grok-(?:2|3(?!-mini)|beta|vision)/.test(model)

/** Only some of the models that reason can be asked for more or less of it. */
function effortFor(model: string, asked: Effort): Effort | undefined {
  if (model.startsWith('grok-3-mini')) return nearestEffort(asked, 'low', 'medium') === 'low' ? 'low' : 'high'
  if (!/^grok-(?:4\.[3-9]|[5-9]|latest)/.test(model)) return undefined
  return asked === 'minimal' ? 'low' : nearestEffort(asked, 'none', 'high')
}

/** A translated request without what the model refuses. */
function withinGrok(request: ChatRequest): ChatRequest {
  const { model } = request
  const asked = effortOf(request.reasoning)
  const effort = asked && effortFor(model, asked)
  const reasoning = effort === undefined ? undefined : { effort }
  if (!reasons(model)) return { ...request, reasoning }
  return { ...request, reasoning, stop: undefined, presencePenalty: undefined, frequencyPenalty: undefined }
}

export const xai = openaiFamily({
  types: [35],
  operations: ['chat', 'completions', 'images'],
  prepare: withinGrok,
})
