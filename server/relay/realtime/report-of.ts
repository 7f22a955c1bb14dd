import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import { plausibleUsage } from '#server/relay/metering/plausible-usage.ts'

/** A vendor's usage report with impossible values corrected; null when none of it is usable, so that the estimate counts. */
export function reportOf(usage: BillableUsage): BillableUsage | null {
  const report = plausibleUsage(usage)
  return report.input + report.output > 0 ? report : null
}

/** A class of tokens in a report, left out where it has none. */
export const positive = (name: string, tokens: number) => (tokens > 0 ? { [name]: tokens } : {})
