import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import {
  chargePictures,
  chargeRequest,
  chargeSeconds,
  chargeSpeech,
  type Pictures,
  type Speech,
} from '#server/billing/pricing/charge-each.ts'
import { chargeLines, type LinesUsed } from '#server/billing/pricing/charge-lines.ts'
import { listCost, reportedCost, shareOf } from '#server/billing/pricing/list-cost.ts'
import type { ModelPrice } from '#server/billing/pricing/model-price.ts'
import { type Charge, charge, type PriceBook } from '#server/billing/pricing/price.ts'
import type { CostBasis } from '#server/db/logs/route-record.ts'
import { providerOf } from '#server/providers/index.ts'
import { type Surcharges, surchargesOf } from '#server/providers/surcharges.ts'
import type { AskedExtras } from './asked-extras.ts'
import { chargedExtras } from './extra-charges.ts'

/** What a request used, in the unit its operation is sold in. */
export type Consumption =
  | {
      readonly by: 'tokens'
      readonly usage: BillableUsage
      readonly counted: boolean
      /** What was reported cannot be true and was put right. */
      readonly doubtful?: boolean
      /** What was drawn, for models that are sold by the picture whatever they report. */
      readonly pictures?: Pictures
      /** What was spoken or written down, for models that are sold by the second. */
      readonly seconds?: number
      /** How many searches a ranking was, for models that are sold by the request. */
      readonly searches?: number
    }
  | ({ readonly by: 'pictures'; readonly doubtful?: boolean } & Pictures)
  | ({ readonly by: 'characters' } & Speech)
  | { readonly by: 'seconds'; readonly seconds: number; readonly doubtful?: boolean }
  /** The lines of a batch, added up. */
  | ({ readonly by: 'lines' } & LinesUsed)
  /** A call nobody here understands, sold as such. */
  | { readonly by: 'call' }
  | { readonly by: 'nothing' }

/** What an answer is charged at: the price, and what comes on top of it. */
export interface Tariff {
  readonly price: ModelPrice
  readonly groupRatio: number
  readonly surcharges: Surcharges
  readonly asked: AskedExtras
}

/** In the unit the model is sold in, where a report speaks of tokens all the same. */
function inUnitOf({ unit }: ModelPrice, consumption: Consumption): Consumption {
  if (consumption.by !== 'tokens') return consumption
  if (unit === 'picture' && consumption.pictures) return { by: 'pictures', ...consumption.pictures }
  if (unit === 'second' && consumption.seconds) return { by: 'seconds', seconds: consumption.seconds }
  return consumption
}

export function chargeFor({ price, groupRatio, surcharges, asked }: Tariff, consumption: Consumption): Charge {
  if (price.perRequest && consumption.by !== 'nothing' && consumption.by !== 'lines')
    return chargeRequest(price, groupRatio, price.perRequest, consumption.by === 'tokens' ? consumption.searches : 1)
  const used = inUnitOf(price, consumption)
  switch (used.by) {
    case 'tokens':
      return charge(price, groupRatio, used.usage, chargedExtras(surcharges, asked, used.usage))
    case 'pictures':
      return chargePictures(price, groupRatio, used)
    case 'characters':
      return chargeSpeech(price, groupRatio, used)
    case 'seconds':
      return chargeSeconds(price, groupRatio, used)
    case 'lines':
      return chargeLines(price, groupRatio, used)
    case 'call':
    case 'nothing':
      return charge(price, groupRatio, { input: 0, output: 0 })
  }
}

/** Of the groups through which a channel is reached the one with the lowest ratio. */
export function cheapestGroup(
  book: PriceBook,
  callerGroups: readonly string[],
  channelGroups: readonly string[],
): { readonly group: string; readonly groupRatio: number } {
  const [only] = callerGroups
  if (only !== undefined && callerGroups.length === 1) return { group: only, groupRatio: book.groupRatio(only) }
  const shared = callerGroups.filter((group) => channelGroups.includes(group))
  const [first = '', ...others] = shared.length > 0 ? shared : callerGroups
  return others.reduce(
    (cheapest, group) => {
      const groupRatio = book.groupRatio(group)
      return groupRatio < cheapest.groupRatio ? { group, groupRatio } : cheapest
    },
    { group: first, groupRatio: book.groupRatio(first) },
  )
}

/** A channel as far as what it costs the operator goes. */
interface Sold {
  readonly type: number
  readonly mapping: ReadonlyMap<string, string>
  readonly costRatio: number
}

/** What a request cost the operator, in quota: as its vendor reports it, else by the public price. Null when nobody knows. */
export function costFor(
  { type, mapping, costRatio }: Sold,
  model: string,
  consumption: Consumption,
  asked: AskedExtras,
): number | null {
  if (consumption.by === 'nothing') return 0
  if (consumption.by === 'lines') return consumption.listed && shareOf(consumption.listed, costRatio)
  if (consumption.by === 'call') return null
  const reported = reportedUsd(type, consumption)
  if (reported !== undefined) return reportedCost(reported)
  const upstreamModel = mapping.get(model) ?? model
  const extras =
    consumption.by === 'tokens' ? chargedExtras(surchargesOf(upstreamModel), asked, consumption.usage) : undefined
  return listCost(upstreamModel, costRatio, consumption, extras)
}

const reportedUsd = (type: number, consumption: Consumption): number | undefined =>
  consumption.by === 'tokens' && providerOf(type).reportsCost ? consumption.usage.reportedUsd : undefined

/** Where the cost of a request comes from: its vendor said so, or it is this share of the public price; undefined when it is neither. */
export function costBasis({ type, costRatio }: Sold, consumption: Consumption): CostBasis | undefined {
  if (consumption.by === 'nothing' || consumption.by === 'call') return undefined
  return reportedUsd(type, consumption) === undefined ? costRatio : 'reported'
}
