import type { Usage } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { cachedTokens, servingTier, unseenOutput } from '#server/dialects/vendor-report.ts'
import { amountOf, arrayOf, compact, numberOf, objectOf, textOf } from '#server/lib/json.ts'

/** Tokens of one kind, where Google divides a report. */
export function ofModality(details: unknown, modality: string): number | undefined {
  const tokens = arrayOf(details).map((entry) => {
    const detail = objectOf(entry)
    return detail?.modality === modality ? amountOf(detail.tokenCount) : 0
  })
  return tokens.reduce((sum, number) => sum + number, 0) || undefined
}

/** Google counts thoughts beside the answer and what tools read beside the prompt. */
export function decodeUsage(value: unknown): Usage | undefined {
  const usage = objectOf(value)
  if (!usage) return undefined
  const thoughts = amountOf(usage.thoughtsTokenCount)
  const input = amountOf(usage.promptTokenCount) + amountOf(usage.toolUsePromptTokenCount)
  const answered = amountOf(usage.candidatesTokenCount) + thoughts
  const unseen = unseenOutput(numberOf(usage.totalTokenCount), input + answered)
  const output = answered + unseen
  if (input === 0 && output === 0) return undefined
  const cached = amountOf(usage.cachedContentTokenCount)
  const cachedSound = Math.min(cached, ofModality(usage.cacheTokensDetails, 'AUDIO') ?? 0)
  /** What came from the cache is charged as cached, whatever it shows. */
  const fresh = (modality: string) =>
    Math.max(
      0,
      (ofModality(usage.promptTokensDetails, modality) ?? 0) - (ofModality(usage.cacheTokensDetails, modality) ?? 0),
    ) || undefined
  return compact({
    input,
    output,
    undivided: (input === 0 && unseen) || undefined,
    cacheRead: cached - cachedSound || undefined,
    audioCacheRead: cachedSound || undefined,
    reasoning: thoughts || undefined,
    audioInput: fresh('AUDIO'),
    audioOutput: ofModality(usage.candidatesTokensDetails, 'AUDIO'),
    imageInput: fresh('IMAGE'),
    imageOutput: ofModality(usage.candidatesTokensDetails, 'IMAGE'),
    tier: servingTier(textOf(usage.serviceTier)?.toLowerCase()),
  })
}

function details(entries: Record<string, number | undefined>): Json | undefined {
  const known = Object.entries(entries).filter(([, tokens]) => tokens !== undefined)
  return known.length === 0 ? undefined : known.map(([modality, tokenCount]) => ({ modality, tokenCount }))
}

export function encodeUsage(usage: Usage): Json {
  return compact({
    promptTokenCount: usage.input,
    cachedContentTokenCount: cachedTokens(usage) || undefined,
    candidatesTokenCount: Math.max(usage.output - (usage.reasoning ?? 0), 0),
    thoughtsTokenCount: usage.reasoning,
    totalTokenCount: usage.input + usage.output,
    promptTokensDetails: details({ AUDIO: usage.audioInput, IMAGE: usage.imageInput }),
    candidatesTokensDetails: details({ AUDIO: usage.audioOutput, IMAGE: usage.imageOutput }),
  })
}
