import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import { amountOf, arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { positive, reportOf } from './report-of.ts'

const tokensOf = (details: unknown, ...kinds: readonly string[]): number =>
  arrayOf(details).reduce<number>((sum, entry) => {
    const detail = objectOf(entry)
    return kinds.includes(textOf(detail?.modality)?.toUpperCase() ?? '') ? sum + amountOf(detail?.tokenCount) : sum
  }, 0)

/** Usage as a message of Google's reports it; null when it reports none. What was cached counts as cached alone. */
export function liveUsage(report: JsonObject | undefined): BillableUsage | null {
  if (!report) return null
  const prompt = amountOf(report.promptTokenCount) + amountOf(report.toolUsePromptTokenCount)
  const answer = amountOf(report.responseTokenCount) || amountOf(report.candidatesTokenCount)
  const thoughts = amountOf(report.thoughtsTokenCount)
  const total = amountOf(report.totalTokenCount)
  if (prompt + answer + thoughts + total === 0) return null
  const input = prompt || Math.max(0, total - answer - thoughts)
  const { promptTokensDetails: asked, cacheTokensDetails: cached } = report
  const said = report.responseTokensDetails ?? report.candidatesTokensDetails
  return reportOf({
    input,
    output: Math.max(answer + thoughts, total - input),
    ...positive('cacheRead', amountOf(report.cachedContentTokenCount) - tokensOf(cached, 'AUDIO')),
    ...positive('audioCacheRead', tokensOf(cached, 'AUDIO')),
    ...positive('audioInput', tokensOf(asked, 'AUDIO') - tokensOf(cached, 'AUDIO')),
    ...positive('imageInput', tokensOf(asked, 'IMAGE', 'VIDEO') - tokensOf(cached, 'IMAGE', 'VIDEO')),
    ...positive('audioOutput', tokensOf(said, 'AUDIO')),
    ...positive('reasoning', thoughts),
  })
}
