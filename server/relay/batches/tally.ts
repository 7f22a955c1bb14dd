import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import { type LinesUsed, noLines, withLine } from '#server/billing/pricing/charge-lines.ts'
import type { UpstreamDialect } from '#server/dialects/dialect.ts'
import { objectOf } from '#server/lib/json.ts'
import type { Work } from '#server/relay/long-work/work.ts'
import type { Consumption } from '#server/relay/metering/charges.ts'
import { chargedExtras } from '#server/relay/metering/extra-charges.ts'
import { createMeter } from '#server/relay/metering/meter.ts'
import { reportedUsage } from '#server/relay/metering/operation-consumption.ts'
import type { BatchFacts } from './batch-facts.ts'

/** Adds up what the answered lines of a batch used. */
export interface BatchTally {
  /** `dialect` is that of a conversation; null for what has an answer of no length. */
  add(key: string, answer: unknown, dialect: UpstreamDialect | null): Promise<void>
  used(): Consumption[]
}

export function createTally(work: Work): BatchTally {
  const { parts, more } = work.facts
  const { others, inputTokens } = more as BatchFacts
  const upstreamOf = (at: number) => {
    const part = parts[at]
    return part?.sold.channel.mapping.get(part.model) ?? part?.model ?? ''
  }
  const sums: LinesUsed[] = parts.map((_, at) => noLines(upstreamOf(at)))

  return {
    async add(key, answer, dialect) {
      const at = others.get(key) ?? 0
      const [part, sum] = [parts[at], sums[at]]
      if (!part || !sum) return
      const reported = dialect ? conversation(answer, dialect) : reportedUsage(answer)
      if (reported === 'fault') return
      const counted = reported === null || 'meter' in reported
      const usage: BillableUsage =
        reported === null
          ? { input: inputTokens[at] ?? 0, output: 0 }
          : 'meter' in reported
            ? { input: inputTokens[at] ?? 0, output: await reported.meter.countOutput(part.model, true) }
            : reported
      // The tier of a batch is part of its price already.
      const served = { ...usage, tier: 'standard' as const }
      const extras = chargedExtras(part.sold.surcharges, { ...part.sold.asked, tier: null }, served)
      sums[at] = withLine(sum, part.sold.price, upstreamOf(at), { usage: served, extras, counted })
    },
    used: () => sums.map((sum) => (sum.lines === 0 ? { by: 'nothing' } : { by: 'lines', ...sum })),
  }
}

/** What an answer reports; the meter that read it when it reports nothing. */
function conversation(answer: unknown, dialect: UpstreamDialect) {
  if (!objectOf(answer)) return 'fault'
  const meter = createMeter()
  for (const event of dialect.decodeResponse(answer)) meter.see(event)
  if (meter.fault()) return 'fault'
  const usage = meter.reported()
  return usage && (usage.input > 0 || usage.output > 0) ? usage : { meter }
}
