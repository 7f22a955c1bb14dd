import type { ChatRequest } from '#server/dialects/chat.ts'
import type { Body } from './provider.ts'

/** The o series and everything from gpt-5 on. */
const isNew = (model: string): boolean => /^(o\d|gpt-([5-9]|\d{2}))/.test(model)

/** Chat variants of the new models do not reason. */
const isReasoning = (model: string): boolean => isNew(model) && !/-chat(-|$)/.test(model)

/** Models that exist in the responses API alone. */
export function isResponsesOnly(model: string): boolean {
  return /^(gpt-|o\d|codex|computer-use)/.test(model) && /(-pro|codex|deep-research|computer-use)/.test(model)
}

/** New models refuse `max_tokens` by name. */
export function renameLimit(body: Body, model: string): Body {
  if (body.max_tokens === undefined || !isNew(model)) return body
  const { max_tokens, ...rest } = body
  return { ...rest, max_completion_tokens: rest.max_completion_tokens ?? max_tokens }
}

/** The older name of the limit, for vendors that know no other. */
export function oldLimit(body: Body): Body {
  if (body.max_completion_tokens === undefined) return body
  const { max_completion_tokens, ...rest } = body
  return { ...rest, max_tokens: rest.max_tokens ?? max_completion_tokens }
}

/** What a reasoning model refuses, left out of a translated request: its client cannot know of the refusal. */
export function withinModel(request: ChatRequest): ChatRequest {
  if (!isReasoning(request.model)) return request
  const kept = /^o[34]/.test(request.model) ? { ...request, stop: undefined } : request
  if (request.reasoning?.effort === 'none') return kept
  return {
    ...kept,
    temperature: undefined,
    topP: undefined,
    presencePenalty: undefined,
    frequencyPenalty: undefined,
    logprobs: undefined,
  }
}
