import type { OldPrice, Ratios } from './old-price.ts'
import { optionsForPrices } from './price-options.ts'
import type { Report } from './report.ts'

/** Name → number, of an option that is a JSON object; undefined when it was never saved or is none. */
export function readRatios(text: string | undefined): Ratios | undefined {
  if (text === undefined || text.trim() === '') return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
    return new Map(Object.entries(parsed).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
  } catch {
    return undefined
  }
}

/** The price options: what was saved there, and over it what the models of its channels cost. */
export function withPrices(
  saved: ReadonlyMap<string, string>,
  prices: ReadonlyMap<string, OldPrice>,
  report: Report,
): Map<string, string> {
  const merged = new Map(saved)
  for (const [option, computed] of optionsForPrices(prices)) {
    const before = readRatios(saved.get(option))
    if (!before && saved.get(option)?.trim()) report.note('option with an invalid value left out', option)
    const kept = [...(before ?? [])].filter(([model, ratio]) => !prices.has(model) && ratio >= 0)
    const own = JSON.parse(computed) as Record<string, number>
    merged.set(option, JSON.stringify({ ...Object.fromEntries(kept), ...own }))
  }
  return merged
}

const inputOf = (price: OldPrice): number => ('perRequest' in price ? price.perRequest * 500_000 : price.ratio)

/** One name has one price here: of several, the dearest. */
export const dearest = (prices: readonly OldPrice[]): OldPrice | undefined =>
  prices.toSorted((a, b) => inputOf(b) - inputOf(a))[0]

export const differ = (prices: readonly OldPrice[]): boolean =>
  new Set(prices.map((price) => JSON.stringify(price))).size > 1
