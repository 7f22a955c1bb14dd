import type { Usage } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { amountOf, arrayOf, compact, objectOf } from '#server/lib/json.ts'

function ofModality(details: unknown, modality: string): number | undefined {
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
  const output = amountOf(usage.candidatesTokenCount) + thoughts
  if (input === 0 && output === 0) return undefined
  return compact({
    input,
    output,
    cacheRead: amountOf(usage.cachedContentTokenCount) || undefined,
    reasoning: thoughts || undefined,
    audioInput: ofModality(usage.promptTokensDetails, 'AUDIO'),
    audioOutput: ofModality(usage.candidatesTokensDetails, 'AUDIO'),
    imageInput: ofModality(usage.promptTokensDetails, 'IMAGE'),
    imageOutput: ofModality(usage.candidatesTokensDetails, 'IMAGE'),
  })
}

function details(entries: Record<string, number | undefined>): Json | undefined {
  const known = Object.entries(entries).filter(([, tokens]) => tokens !== undefined)
  return known.length === 0 ? undefined : known.map(([modality, tokenCount]) => ({ modality, tokenCount }))
}

export function encodeUsage(usage: Usage): Json {
  return compact({
    promptTokenCount: usage.input,
    cachedContentTokenCount: usage.cacheRead,
    candidatesTokenCount: Math.max(usage.output - (usage.reasoning ?? 0), 0),
    thoughtsTokenCount: usage.reasoning,
    totalTokenCount: usage.input + usage.output,
    promptTokensDetails: details({ AUDIO: usage.audioInput, IMAGE: usage.imageInput }),
    candidatesTokensDetails: details({ AUDIO: usage.audioOutput, IMAGE: usage.imageOutput }),
  })
}
