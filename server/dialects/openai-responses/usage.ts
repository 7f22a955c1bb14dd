import type { Usage } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { cachedTokens, reportedUsd, unseenOutput } from '#server/dialects/vendor-report.ts'
import { amountOf, compact, numberOf, objectOf } from '#server/lib/json.ts'

export function decodeUsage(value: unknown): Usage | undefined {
  const usage = objectOf(value)
  if (!usage) return undefined
  const input = objectOf(usage.input_tokens_details) ?? {}
  const output = objectOf(usage.output_tokens_details) ?? {}
  const asked = amountOf(usage.input_tokens)
  const answered = amountOf(usage.output_tokens)
  const written = amountOf(input.cache_write_tokens)
  const writtenLong = Math.min(written, amountOf(objectOf(input.cache_write_tokens_details)?.ttl_12h_tokens))
  const unseen = unseenOutput(numberOf(usage.total_tokens), asked + answered)
  return compact({
    input: asked,
    output: answered + unseen,
    undivided: (asked === 0 && unseen) || undefined,
    cacheRead: amountOf(input.cached_tokens) || undefined,
    cacheWrite: written - writtenLong || undefined,
    cacheWriteLong: writtenLong || undefined,
    reasoning: amountOf(output.reasoning_tokens) || undefined,
    audioInput: amountOf(input.audio_tokens) || undefined,
    audioOutput: amountOf(output.audio_tokens) || undefined,
    imageInput: amountOf(input.image_tokens) || undefined,
    imageOutput: amountOf(output.image_tokens) || undefined,
    reportedUsd: reportedUsd(usage),
  })
}

export function encodeUsage(usage: Usage): Json {
  const cacheWrite = (usage.cacheWrite ?? 0) + (usage.cacheWriteLong ?? 0)
  return {
    input_tokens: usage.input,
    input_tokens_details: compact({
      cached_tokens: cachedTokens(usage),
      cache_write_tokens: cacheWrite,
      audio_tokens: usage.audioInput,
      image_tokens: usage.imageInput,
    }),
    output_tokens: usage.output,
    output_tokens_details: compact({
      reasoning_tokens: usage.reasoning ?? 0,
      audio_tokens: usage.audioOutput,
      image_tokens: usage.imageOutput,
    }),
    total_tokens: usage.input + usage.output,
  }
}
