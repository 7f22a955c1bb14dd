import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import { unseenOutput } from '#server/dialects/vendor-report.ts'
import { amountOf, type JsonObject, objectOf } from '#server/lib/json.ts'
import { positive, reportOf } from './report-of.ts'

/** Usage as realtime events report it; null when they report none. What was cached counts as cached alone. */
export function realtimeUsage(usage: JsonObject | undefined): BillableUsage | null {
  if (!usage) return null
  const input = amountOf(usage.input_tokens)
  const output = amountOf(usage.output_tokens)
  const total = amountOf(usage.total_tokens)
  if (input + output + total === 0) return null
  const inputs = objectOf(usage.input_token_details) ?? {}
  const outputs = objectOf(usage.output_token_details) ?? {}
  const cached = amountOf(inputs.cached_tokens)
  const cachedKinds = objectOf(inputs.cached_tokens_details)
  const text = amountOf(inputs.text_tokens)
  const cachedSound = Math.min(cached, cachedKinds ? amountOf(cachedKinds.audio_tokens) : Math.max(0, cached - text))
  const sound = Math.max(0, amountOf(inputs.audio_tokens) - cachedSound)
  const pictures = Math.max(0, amountOf(inputs.image_tokens) - amountOf(cachedKinds?.image_tokens))
  return reportOf({
    input: input || Math.max(0, total - output),
    output: input === 0 ? output : output + unseenOutput(total, input + output),
    ...positive('cacheRead', cached - cachedSound),
    ...positive('audioCacheRead', cachedSound),
    ...positive('audioInput', sound),
    ...positive('imageInput', pictures),
    ...positive('audioOutput', amountOf(outputs.audio_tokens)),
  })
}
