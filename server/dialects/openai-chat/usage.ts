import type { Usage } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { cachedTokens, reportedUsd, unseenOutput } from '#server/dialects/vendor-report.ts'
import { type JsonObject, numberOf, objectOf } from '#server/lib/json.ts'

/** A report while it is put together. Most have nothing but prompt and completion. */
type Report = { -readonly [Field in keyof Usage]: Usage[Field] }

type Amount = { [Field in keyof Report]-?: number extends Report[Field] ? Field : never }[keyof Report]

function add(report: Report, field: Amount, value: number | undefined): void {
  if (value !== undefined) report[field] = value
}

const nothing: JsonObject = Object.freeze({})

const positive = (value: unknown) => {
  const number = numberOf(value)
  return number !== undefined && number > 0 ? number : undefined
}

/** Some report a chat in the words of responses. */
const promptOf = (usage: JsonObject): number =>
  positive(usage.prompt_tokens) ?? positive(usage.input_tokens) ?? numberOf(usage.prompt_tokens) ?? 0

const completionOf = (usage: JsonObject): number =>
  positive(usage.completion_tokens) ?? positive(usage.output_tokens) ?? numberOf(usage.completion_tokens) ?? 0

/** Gateways name what was written to a cache in ways of their own; an hour's writes stand apart. */
function addCacheWrites(report: Report, usage: JsonObject, prompt: JsonObject): void {
  const lives =
    objectOf(prompt.cache_creation_token_details) ??
    objectOf(usage.cache_creation) ??
    objectOf(prompt.cache_creation) ??
    nothing
  const long = positive(lives.ephemeral_1h_input_tokens) ?? positive(usage.claude_cache_creation_1_h_tokens) ?? 0
  const short = positive(lives.ephemeral_5m_input_tokens) ?? positive(usage.claude_cache_creation_5_m_tokens) ?? 0
  const all =
    positive(prompt.cache_write_tokens) ??
    positive(prompt.cache_creation_tokens) ??
    positive(prompt.cached_creation_tokens) ??
    positive(usage.cache_creation_input_tokens) ??
    0
  add(report, 'cacheWrite', Math.max(all - long, short) || undefined)
  add(report, 'cacheWriteLong', long || undefined)
}

/** A research model reports what it read and thought beside prompt and completion, and how often it searched. */
function addResearch(report: Report, usage: JsonObject): void {
  const searches = positive(usage.num_search_queries)
  if (searches === undefined) return
  report.webSearch = searches
  if (
    (numberOf(usage.total_tokens) ?? 0) >
    (numberOf(usage.prompt_tokens) ?? 0) + (numberOf(usage.completion_tokens) ?? 0)
  )
    return
  const thoughts = positive(usage.reasoning_tokens) ?? 0
  report.input += positive(usage.citation_tokens) ?? 0
  report.output += thoughts
  if (thoughts > 0) report.reasoning = thoughts
}

/** Undefined for the all-zero reports some vendors attach to every chunk. */
export function decodeUsage(value: unknown): Usage | undefined {
  const usage = objectOf(value)
  if (!usage) return undefined
  const prompt = objectOf(usage.prompt_tokens_details) ?? objectOf(usage.input_tokens_details) ?? nothing
  const completion = objectOf(usage.completion_tokens_details) ?? objectOf(usage.output_tokens_details) ?? nothing
  const input = promptOf(usage)
  const answered = completionOf(usage)
  const unseen = unseenOutput(numberOf(usage.total_tokens), Math.max(0, input) + Math.max(0, answered))
  if (input === 0 && answered + unseen === 0) return undefined
  const report: Report = { input, output: answered + unseen }
  if (input === 0) add(report, 'undivided', unseen || undefined)
  add(
    report,
    'cacheRead',
    positive(prompt.cached_tokens) ??
      positive(usage.prompt_cache_hit_tokens) ??
      positive(usage.cached_tokens) ??
      positive(usage.cache_read_input_tokens),
  )
  addCacheWrites(report, usage, prompt)
  add(report, 'reasoning', positive(completion.reasoning_tokens))
  add(report, 'audioInput', positive(prompt.audio_tokens))
  add(report, 'audioOutput', positive(completion.audio_tokens))
  add(report, 'imageInput', positive(prompt.image_tokens))
  add(report, 'imageOutput', positive(completion.image_tokens))
  add(report, 'reportedUsd', reportedUsd(usage))
  addResearch(report, usage)
  return report
}

export function encodeUsage(usage: Usage): Json {
  const cacheWrite = (usage.cacheWrite ?? 0) + (usage.cacheWriteLong ?? 0)
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: {
      cached_tokens: cachedTokens(usage),
      ...(cacheWrite === 0 ? {} : { cache_write_tokens: cacheWrite }),
      audio_tokens: usage.audioInput ?? 0,
      ...(usage.imageInput === undefined ? {} : { image_tokens: usage.imageInput }),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning ?? 0,
      audio_tokens: usage.audioOutput ?? 0,
      ...(usage.imageOutput === undefined ? {} : { image_tokens: usage.imageOutput }),
    },
  }
}
