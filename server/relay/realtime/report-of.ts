import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import { plausibleUsage } from '#server/relay/metering/plausible-usage.ts'

/** What a vendor reports as far as it may be true; null when nothing of it may, so that what was seen counts instead. */
export function reportOf(usage: BillableUsage): BillableUsage | null {
  const report = plausibleUsage(usage)
  return report.input + report.output > 0 ? report : null
}
