import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import { chargeFor, type Tariff } from '#server/relay/metering/charges.ts'
import type { Ceiling, Offer } from '#server/relay/metering/offer.ts'

/** An answer in one go of a model nobody described. */
const longestAnswer = 4096
/** What may be said before the next answer. */
const nextQuestion = 4096
/** The number of tokens of an answer that must be affordable for it to begin. */
const shortestAnswer = 64

const quota = (tariff: Tariff, usage: BillableUsage): number =>
  chargeFor(tariff, { by: 'tokens', usage, counted: true }).quota

/** Every token as the dearest it may be: text, sound or a picture. */
function dearest({ price }: Tariff, input: number, output: number): BillableUsage {
  const { audioInput, imageInput, audioOutput, output: text } = price.tiers[0].ratios
  return {
    input,
    output,
    ...(audioInput >= Math.max(1, imageInput) ? { audioInput: input } : imageInput > 1 ? { imageInput: input } : {}),
    ...(audioOutput > text ? { audioOutput: output } : {}),
  }
}

/** What a session that stands like this may cost until its next report, and what must be there for it to go on. */
export function sessionCeiling(
  tariff: Tariff,
  facts: Offer['facts'],
  underWay: BillableUsage,
  preConsumedQuota: number,
): Ceiling {
  const now = quota(tariff, underWay)
  const longest = Math.min(facts?.maxOutput ?? longestAnswer, longestAnswer)
  const wanted = now + quota(tariff, dearest(tariff, nextQuestion, longest))
  const least = now + quota(tariff, dearest(tariff, 0, shortestAnswer))
  const isFree = wanted === 0
  return {
    least: isFree ? 0 : Math.max(least, preConsumedQuota),
    wanted: Math.max(wanted, isFree ? 0 : preConsumedQuota),
  }
}

/** What has been used since the last report, as far as it can be seen. */
export const costUnderWay = quota
