import type { AssistantPart, ChatRequest, Effort, Message } from '#server/dialects/chat.ts'
import { effortOf } from '#server/dialects/reasoning-effort.ts'

type Reasoning = ChatRequest['reasoning']

const budgets: Record<Effort, number> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
}

const levels: Record<Effort, Effort> = {
  none: 'minimal',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
}

/** 2.5 for gemini-2.5-pro; undefined for aliases such as gemini-flash-latest, which are always the newest. */
function versionOf(model: string): number | undefined {
  const found = /gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** The Pro of 2.5 refuses a budget of 0. */
function budgeted(reasoning: NonNullable<Reasoning>, model: string): Reasoning {
  const effort = effortOf(reasoning)
  const asked = reasoning.budgetTokens ?? (effort && budgets[effort])
  const budgetTokens = asked === 0 && model.includes('2.5-pro') ? undefined : asked
  return { budgetTokens, show: reasoning.show }
}

function leveled(reasoning: NonNullable<Reasoning>, model: string): Reasoning {
  const effort = effortOf(reasoning)
  if (effort === undefined) return { show: reasoning.show }
  const level = levels[effort]
  const lacksMinimal = /gemini-(3\.[89]|[4-9]|3[^ ]*-pro)/.test(model)
  return { effort: level === 'minimal' && lacksMinimal ? 'low' : level, show: reasoning.show }
}

/** Accepted in the place of a proof for calls that no Gemini made. */
export const foreignCall = 'context_engineering_is_the_way_to_go'

/** From 3 on, the first call of a turn must prove where it comes from. */
function proven(message: Message): Message {
  if (message.role !== 'assistant') return message
  const first = message.parts.findIndex((part) => part.type === 'tool-call')
  const call = message.parts[first]
  if (call?.type !== 'tool-call' || call.signature !== undefined) return message
  return { ...message, parts: message.parts.with(first, { ...call, signature: foreignCall } satisfies AssistantPart) }
}

function thinkingOf({ reasoning, model }: ChatRequest, version: number): Reasoning {
  if (!reasoning || version < 2.5 || !model.includes('gemini')) return undefined
  return version < 3 ? budgeted(reasoning, model) : leveled(reasoning, model)
}

/** A translated request with its thinking configured, and its calls signed, the way this generation of Gemini wants it. */
export function withinGemini(request: ChatRequest): ChatRequest {
  const version = versionOf(request.model) ?? 3
  const messages = version < 3 ? request.messages : request.messages.map(proven)
  return { ...request, messages, reasoning: thinkingOf(request, version) }
}
