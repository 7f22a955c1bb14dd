import type { PriceRow } from '#shared/api/prices.ts'
import { formatUsd } from '#shared/usd.ts'
import type { TFunction } from '#web/lib/i18n.ts'
import { outputUsd } from '#web/lib/usd.ts'

const range = (t: TFunction, low: number, high: number): string =>
  low === high ? formatUsd(low) : t('prices.fromTo', { low: formatUsd(low), high: formatUsd(high) })

const usdOf = ({ pictures }: PriceRow): number[] => pictures.map(({ usd }) => usd)

/** What the channels take, in the unit the model is sold in. */
export function costText(t: TFunction, row: PriceRow): string {
  const { cost_usd: cost, list, unit, input_usd } = row
  if (!cost) return '–'
  const each = usdOf(row)
  if (unit === 'picture' && each.length > 0 && input_usd) {
    const share = (usd: number) => Number((usd / input_usd).toFixed(9))
    return range(t, share(Math.min(...each) * cost.min), share(Math.max(...each) * cost.max))
  }
  if (cost.min !== cost.max || unit !== 'token') return range(t, cost.min, cost.max)
  // A channel takes the same share of both list prices.
  const output = list?.input_usd && list.output_usd !== null ? (cost.min * list.output_usd) / list.input_usd : null
  return `${formatUsd(cost.min)} / ${outputUsd({ input_usd: cost.min, output_usd: output })}`
}

/** What a model that has more than three prices, or one of another kind, is sold at. */
export function piecesText(t: TFunction, row: PriceRow): string {
  const each = usdOf(row)
  if (each.length === 0) return formatUsd(row.input_usd)
  const [low, high] = [Math.min(...each), Math.max(...each)].map(formatUsd)
  return each.length === 1 ? `${low}` : t('prices.sizes', { count: each.length, low, high })
}

/** Who carries a model without a price, and what that led to. */
export function refusedText(t: TFunction, language: string, { carriers, channels, refused }: PriceRow): string {
  const others = channels - carriers.length
  const names = [...carriers, ...(others > 0 ? [t('prices.others', { count: others })] : [])]
  const listed = new Intl.ListFormat(language).format(names)
  return t('prices.carries', { count: channels, names: listed, refused })
}
