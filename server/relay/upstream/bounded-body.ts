import { objectOf } from '#server/lib/json.ts'
import type { AnswerBound } from '#server/providers/provider.ts'
import type { JsonBody } from '#server/relay/request/ask.ts'

/** The body of one dialect with an answer no longer than `most`; a lower limit of the client's stays. */
type Writer = (body: JsonBody, most: number) => JsonBody

const isAbove = (value: unknown, most: number): boolean => typeof value !== 'number' || value <= 0 || value > most

/** Which of the two names a vendor reads is unknown. */
const chat: Writer = (body, most) => {
  const { max_completion_tokens: today, max_tokens: before } = body
  if (today === undefined || today === null) return isAbove(before, most) ? { ...body, max_tokens: most } : body
  const limits = {
    ...(isAbove(today, most) ? { max_completion_tokens: most } : {}),
    ...(before !== undefined && before !== null && isAbove(before, most) ? { max_tokens: most } : {}),
  }
  return Object.keys(limits).length > 0 ? { ...body, ...limits } : body
}

const responses: Writer = (body, most) =>
  isAbove(body.max_output_tokens, most) ? { ...body, max_output_tokens: most } : body

const smallestBudget = 1024

/** A budget for thinking must stay below the limit, and above what the vendor calls the least. */
function withinLimit(thinking: unknown, most: number): JsonBody {
  const { budget_tokens: budget, ...rest } = (objectOf(thinking) ?? {}) as JsonBody
  if (typeof budget !== 'number' || budget < most) return {}
  const half = Math.floor(most / 2)
  return { thinking: half < smallestBudget ? { type: 'disabled' } : { ...rest, budget_tokens: half } }
}

const messages: Writer = (body, most) =>
  isAbove(body.max_tokens, most) ? { ...body, max_tokens: most, ...withinLimit(body.thinking, most) } : body

const geminiConfigs = ['generationConfig', 'generation_config']
const geminiLimits = ['maxOutputTokens', 'max_output_tokens']

/** Bounds each spelling that is present, since either may count. */
const gemini: Writer = (body, most) => {
  const configs = geminiConfigs.filter((name) => objectOf(body[name]) !== undefined)
  const bounded: JsonBody = { ...body }
  let isLimited = false
  for (const name of configs) {
    const config = { ...(objectOf(body[name]) as JsonBody) }
    for (const field of geminiLimits.filter((known) => config[known] !== undefined)) {
      isLimited = true
      if (isAbove(config[field], most)) config[field] = most
    }
    bounded[name] = config
  }
  if (isLimited) return bounded
  const [first = 'generationConfig'] = configs
  return { ...body, [first]: { ...(objectOf(body[first]) as JsonBody | undefined), maxOutputTokens: most } }
}

const writers: Readonly<Record<string, Writer>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  'anthropic-messages': messages,
  gemini,
}

const fewer = (own: unknown, calls: number): number => (isAbove(own, calls) ? calls : Number(own))

/** Limits calls of tools that run at the vendor to the number that is held for. */
function withCalls(dialect: string, body: JsonBody, calls: number): JsonBody {
  if (dialect === 'openai-responses') return { ...body, max_tool_calls: fewer(body.max_tool_calls, calls) }
  if (dialect !== 'anthropic-messages' || !Array.isArray(body.tools)) return body
  const tools = body.tools.map((entry) => {
    const tool = objectOf(entry) as JsonBody | undefined
    if (!tool || typeof tool.type !== 'string' || !tool.type.startsWith('web_search')) return entry
    return { ...tool, max_uses: fewer(tool.max_uses, calls) }
  })
  return { ...body, tools }
}

/** A body that passes through, bounded by what is held for its answer. The same object when nothing has to change. */
export function boundedBody(dialect: string, body: JsonBody, { answer, longest, calls }: AnswerBound): JsonBody {
  const demanded = dialect === 'anthropic-messages' && body.max_tokens === undefined ? longest : null
  const most = answer ?? demanded
  const limited = most === null ? body : (writers[dialect]?.(body, most) ?? body)
  return calls === null ? limited : withCalls(dialect, limited, calls)
}
