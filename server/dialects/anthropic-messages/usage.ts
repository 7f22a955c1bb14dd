import type { Usage } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { cachedTokens } from '#server/dialects/vendor-report.ts'
import { amountOf, arrayOf, compact, type JsonObject, objectOf } from '#server/lib/json.ts'

/** Anthropic counts cached and cache-writing tokens beside `input_tokens`, not in them. */
function tokensOf(usage: JsonObject) {
  const lives = objectOf(usage.cache_creation) ?? {}
  const cacheRead = amountOf(usage.cache_read_input_tokens)
  const written = amountOf(usage.cache_creation_input_tokens)
  const cacheWriteLong = amountOf(lives.ephemeral_1h_input_tokens)
  const cacheWrite = Math.max(written - cacheWriteLong, amountOf(lives.ephemeral_5m_input_tokens))
  const input = amountOf(usage.input_tokens) + cacheRead + cacheWrite + cacheWriteLong
  return { input, output: amountOf(usage.output_tokens), cacheRead, cacheWrite, cacheWriteLong }
}

type Tokens = ReturnType<typeof tokensOf>

const together = (one: Tokens, other: Tokens): Tokens => ({
  input: one.input + other.input,
  output: one.output + other.output,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheWrite: one.cacheWrite + other.cacheWrite,
  cacheWriteLong: one.cacheWriteLong + other.cacheWriteLong,
})

/** Summaries of a conversation are billed too, and counted beside the answer. */
function summaries({ iterations }: JsonObject): Tokens[] {
  const steps = arrayOf(iterations).map((step) => objectOf(step) ?? {})
  return steps.filter((step) => step.type === 'compaction').map(tokensOf)
}

export function decodeUsage(usage: JsonObject): Usage {
  const { input, output, cacheRead, cacheWrite, cacheWriteLong } = summaries(usage).reduce(together, tokensOf(usage))
  return compact({
    input,
    output,
    cacheRead: cacheRead || undefined,
    cacheWrite: cacheWrite || undefined,
    cacheWriteLong: cacheWriteLong || undefined,
    reasoning: amountOf(objectOf(usage.output_tokens_details)?.thinking_tokens) || undefined,
    tier: usage.speed === 'fast' ? ('fast' as const) : usage.speed === 'standard' ? ('standard' as const) : undefined,
    insideUs: usage.inference_geo === 'us' || undefined,
    webSearch: amountOf(objectOf(usage.server_tool_use)?.web_search_requests) || undefined,
  })
}

const inputNames: ReadonlySet<string> = new Set([
  'input_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'cache_creation',
])

/**
 * Later reports overwrite earlier ones field by field. A null field says nothing; nor do zeros about a question or an
 * answer that was reported before, with which some vendors end a stream.
 */
export function mergeReports(earlier: JsonObject, later: JsonObject): JsonObject {
  const { input, output } = tokensOf(later)
  const isSaid = (name: string) => (inputNames.has(name) ? input > 0 : name !== 'output_tokens' || output > 0)
  const said = Object.entries(later).filter(([name, value]) => value !== null && isSaid(name))
  return { ...earlier, ...Object.fromEntries(said) }
}

export function encodeUsage(usage: Usage | undefined): Json {
  const { input = 0, output = 0, cacheWrite = 0, cacheWriteLong = 0, reasoning } = usage ?? {}
  const cacheRead = usage ? cachedTokens(usage) : 0
  return {
    input_tokens: Math.max(input - cacheRead - cacheWrite - cacheWriteLong, 0),
    cache_creation_input_tokens: cacheWrite + cacheWriteLong,
    cache_read_input_tokens: cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: cacheWriteLong },
    output_tokens: output,
    ...(reasoning === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
  }
}
