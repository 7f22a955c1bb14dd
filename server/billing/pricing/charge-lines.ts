import type { BillableUsage } from './billable-usage.ts'
import { ceiling, type Decimal, decimal, plus, times } from './decimal.ts'
import { exact, publicPrice } from './list-cost.ts'
import type { ModelPrice } from './model-price.ts'
import { type Charge, charge, type Extras } from './price.ts'

/** The lines of a batch that were answered, added up. */
export interface LinesUsed {
  readonly lines: number
  readonly usage: BillableUsage
  /** Some of them were counted here, for their vendor did not report them. */
  readonly counted: boolean
  /** Quota before the ratio of the group: rounded up once for all of them. */
  readonly cost: Decimal
  /** The same by the public price; null when no list knows the model. */
  readonly listed: Decimal | null
}

export const noLines = (upstreamModel: string): LinesUsed => ({
  lines: 0,
  usage: { input: 0, output: 0 },
  counted: false,
  cost: decimal(0),
  listed: publicPrice(upstreamModel) && decimal(0),
})

/** What one line costs before the ratio of the group: each at the price of its own length. */
function lineCost(price: ModelPrice, usage: BillableUsage, extras: Extras | undefined): Decimal {
  if (price.perRequest) return price.perRequest
  const share = { times: (extras?.times ?? 1) * price.batchShare, fees: extras?.fees ?? [] }
  return exact(price, { by: 'tokens', usage }, share)
}

/** One more line; `upstreamModel` is what the operator pays for. */
export function withLine(
  sum: LinesUsed,
  price: ModelPrice,
  upstreamModel: string,
  line: { readonly usage: BillableUsage; readonly extras: Extras | undefined; readonly counted: boolean },
): LinesUsed {
  const listed = publicPrice(upstreamModel)
  return {
    lines: sum.lines + 1,
    usage: sumOf(sum.usage, line.usage),
    counted: sum.counted || line.counted,
    cost: plus(sum.cost, lineCost(price, line.usage, line.extras)),
    listed: listed && sum.listed && plus(sum.listed, lineCost(listed, line.usage, line.extras)),
  }
}

const added = [
  'input',
  'output',
  'cacheRead',
  'audioCacheRead',
  'cacheWrite',
  'cacheWriteLong',
  'audioInput',
  'audioOutput',
  'imageInput',
  'imageOutput',
  'reasoning',
  'webSearch',
  'fileSearch',
  'codeSession',
] as const

function sumOf(one: BillableUsage, other: BillableUsage): BillableUsage {
  const sums = added.flatMap((name) => {
    const sum = (one[name] ?? 0) + (other[name] ?? 0)
    return sum > 0 || name === 'input' || name === 'output' ? [[name, sum]] : []
  })
  return Object.fromEntries(sums)
}

/** ⌈Σ lines × group⌉. */
export function chargeLines(price: ModelPrice, groupRatio: number, { cost, usage }: LinesUsed): Charge {
  const product = times(cost, decimal(groupRatio))
  // The lines together are longer than any of them: the explanation shows the price of a short one.
  const short: ModelPrice = { ...price, tiers: [price.tiers[0]] }
  const { explanation } = charge(short, groupRatio, usage, { times: price.batchShare, fees: [] })
  return { quota: ceiling(product.units, product.decimals), explanation }
}
