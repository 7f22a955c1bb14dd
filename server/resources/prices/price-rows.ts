import type { z } from 'zod'
import { defaultPrices } from '#server/billing/pricing/default-prices.ts'
import { publicPrice } from '#server/billing/pricing/list-cost.ts'
import { type PriceOption, priceOptions, roundUsd } from '#server/billing/pricing/own-prices.ts'
import { pictureAmounts, priceAmounts } from '#server/billing/pricing/price-amounts.ts'
import { priceBookOf } from '#server/billing/pricing/price-book.ts'
import { type Context, epochSeconds } from '#server/context.ts'
import { pageFrom } from '#server/db/page.ts'
import { readRefused } from '#server/db/refused-models.ts'
import { marginOf, type Sums } from '#server/db/usage/cells.ts'
import { inPortions } from '#server/lib/in-portions.ts'
import { parseObject, textOf } from '#server/lib/json.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import { sortedInPortions } from '#server/lib/turns/sorted-in-portions.ts'
import { createPace } from '#server/lib/turns/work-turns.ts'
import type { PricedTraffic, PriceRow, pricesApi } from '#shared/api/prices.ts'
import { commaList } from '#shared/comma-list.ts'
import { AppError } from '#shared/errors.ts'
import { type Carrier, readCarriers, sumsByModel } from './prices.store.ts'

const marginSeconds = 30 * daySeconds

const none = { input_usd: null, output_usd: null, cache_read_usd: null, cache_write_usd: null }

const namesMax = 3

interface Carried {
  channels: number
  readonly names: string[]
  readonly costs: number[]
}

/** Which channels carry which model, and what the operator pays there for its input, or for the unit it is sold in. */
async function carriedBy(carriers: readonly Carrier[]): Promise<Map<string, Carried>> {
  const found = new Map<string, Carried>()
  const pace = createPace()
  for (const carrier of carriers) {
    const mapping = parseObject(carrier.model_mapping)
    const add = (model: string) => {
      const entry = found.get(model) ?? { channels: 0, names: [], costs: [] }
      const listed = publicPrice(textOf(Object.hasOwn(mapping, model) ? mapping[model] : undefined) ?? model)
      const cost = listed && priceAmounts(listed).input_usd
      entry.channels += 1
      if (entry.names.length < namesMax) entry.names.push(carrier.name)
      if (cost !== null) entry.costs.push(roundUsd(cost * carrier.cost_ratio))
      found.set(model, entry)
    }
    await inPortions(new Set(commaList(carrier.models)), add, pace)
  }
  return found
}

export const trafficOf = (sums: Sums | undefined): PricedTraffic | null =>
  sums
    ? {
        quota: sums.quota,
        cost: sums.cost,
        prompt_tokens: sums.prompt_tokens,
        cached_tokens: sums.cached_tokens,
        completion_tokens: sums.completion_tokens,
      }
    : null

/** What was asked of each model in the last 30 days. */
export function recentSums(ctx: Context): Promise<Map<string, Sums>> {
  const now = epochSeconds(ctx)
  return sumsByModel(ctx, now - marginSeconds, now + 1)
}

/** The models some channel carries. */
export const carriedModels = async (ctx: Context): Promise<Set<string>> =>
  new Set((await carriedBy(await readCarriers(ctx.database.db))).keys())

/** A model as far as it is filtered, ordered and counted by; the rest is worked out for the rows of a page alone. */
interface Entry {
  readonly model: string
  readonly source: PriceRow['source']
  readonly channels: number
  readonly revenue: number
}

interface PriceList {
  readonly entries: readonly Entry[]
  rowOf(entry: Entry): PriceRow
}

/** Every model somebody carries, prices or lists. */
async function readList(ctx: Context): Promise<PriceList> {
  const carried = await carriedBy(await readCarriers(ctx.database.db))
  const sums = await recentSums(ctx)
  const refused = await readRefused(ctx.database.db, epochSeconds(ctx))
  const options = ctx.options()
  const book = priceBookOf(options)
  const models = new Set([...carried.keys(), ...defaultPrices.keys()])
  const pace = createPace()
  for (const key of priceOptions) await inPortions(Object.keys(options[key]), (model) => models.add(model), pace)
  const sourceOf = (model: string): PriceRow['source'] => {
    const isIn = (key: PriceOption) => Object.hasOwn(options[key], model)
    if (isIn('ModelRatio') || isIn('RequestPrice')) return 'own'
    const price = book.priceOf(model)
    if (price === null) return 'none'
    return priceOptions.some(isIn) || price.source !== 'list' ? 'own' : 'list'
  }
  const entries = await inPortions(
    models,
    (model): Entry => ({
      model,
      source: sourceOf(model),
      channels: carried.get(model)?.channels ?? 0,
      revenue: sums.get(model)?.quota ?? 0,
    }),
    pace,
  )
  const rowOf = ({ model, source }: Entry): PriceRow => {
    const price = book.priceOf(model)
    const listed = publicPrice(model)
    const carrier = carried.get(model)
    const costs = carrier?.costs ?? []
    const recent = sums.get(model)
    return {
      model,
      unit: price?.unit ?? 'token',
      source,
      ...(price ? priceAmounts(price) : none),
      list: listed && priceAmounts(listed),
      pictures: price ? pictureAmounts(price) : [],
      channels: carrier?.channels ?? 0,
      carriers: carrier?.names ?? [],
      refused: price ? 0 : (refused.get(model) ?? 0),
      cost_usd: costs.length === 0 ? null : { min: Math.min(...costs), max: Math.max(...costs) },
      margin: recent ? marginOf(recent) : null,
      traffic: trafficOf(recent),
    }
  }
  return { entries, rowOf }
}

/** 0 for what needs somebody's attention first: those in use, and of them those without a price. */
const rankOf = ({ source, channels }: Entry): number => (channels === 0 ? 2 : source === 'none' ? 0 : 1)

const countsOf = (rows: readonly Entry[]) => ({
  priced: rows.filter(({ source }) => source !== 'none').length,
  own: rows.filter(({ source }) => source === 'own').length,
  used: rows.filter(({ channels }) => channels > 0).length,
  unpriced: rows.filter(({ source, channels }) => source === 'none' && channels > 0).length,
})

export async function pricePage(
  ctx: Context,
  { keyword, source, view, ...page }: z.output<typeof pricesApi.list.input>,
): Promise<z.output<typeof pricesApi.list.output>> {
  const wanted = keyword.toLowerCase()
  const { entries, rowOf } = await readList(ctx)
  const found: Entry[] = []
  await inPortions(entries, (entry) => {
    const isWanted = (source === '' || entry.source === source) && (view === '' || entry.channels > 0)
    if (isWanted && entry.model.toLowerCase().includes(wanted)) found.push(entry)
  })
  const rows = await sortedInPortions(
    found,
    (a, b) => rankOf(a) - rankOf(b) || b.revenue - a.revenue || (a.model < b.model ? -1 : 1),
  )
  const start = (page.page - 1) * page.pagesize
  const shown = rows.slice(start, start + page.pagesize).map(rowOf)
  return { ...pageFrom(page, shown, rows.length), counts: countsOf(entries) }
}

export async function priceRowOf(ctx: Context, model: string): Promise<PriceRow> {
  const { entries, rowOf } = await readList(ctx)
  const found = entries.find((entry) => entry.model === model)
  // Somebody else has taken back at once what was set.
  if (!found) throw new AppError('price.not_own', { model: model.slice(0, 200) })
  return rowOf(found)
}
