import type { z } from 'zod'
import { formats } from '#server/billing/price-sync/formats.ts'
import type { PriceTable } from '#server/billing/price-sync/usd.ts'
import type { ModelPrice } from '#server/billing/pricing/model-price.ts'
import { copyShelf, nothingSet, type OwnPrice, priceOptions } from '#server/billing/pricing/own-prices.ts'
import { priceAmounts } from '#server/billing/pricing/price-amounts.ts'
import { priceBookOf, priceBookOfShelf } from '#server/billing/pricing/price-book.ts'
import { setOwnPrice } from '#server/billing/pricing/stored-prices.ts'
import { type Context, epochSeconds } from '#server/context.ts'
import type { Actor } from '#server/http/call.ts'
import { inPortions } from '#server/lib/in-portions.ts'
import { parseJson } from '#server/lib/json.ts'
import { jsonFault, longListValuesMax } from '#server/lib/json-text.ts'
import { FetchRefused, guardedFetch } from '#server/lib/network/guarded-fetch.ts'
import { randomText } from '#server/lib/random.ts'
import { withoutTrailing } from '#server/lib/text/without-trailing.ts'
import { createPace, workTurn } from '#server/lib/turns/work-turns.ts'
import type { pricesApi, SyncPrice, SyncRow } from '#shared/api/prices.ts'
import { AppError, invalid } from '#shared/errors.ts'
import type { OptionValues } from '#shared/options.ts'
import { carriedModels, recentSums, trafficOf } from './price-rows.ts'
import { makeChanges } from './prices.service.ts'
import { findPreview, keepPreview } from './prices.store.ts'

type PreviewInput = z.output<typeof pricesApi.preview.input>
type Format = (typeof formats)[PreviewInput['format']]

const fetchedBytesMax = 8 * 1024 * 1024
const modelsMax = 20_000
const keptSeconds = 3600

/** What a public price list would change. Nothing changes yet. */
export async function previewPrices(ctx: Context, wish: PreviewInput): Promise<{ id: string; rows: SyncRow[] }> {
  if (wish.url && wish.data !== undefined) throw invalid('price.two_lists', {}, 'url')
  const format = formats[wish.format]
  const table = wish.data === undefined ? await fetchTable(format, wish.url) : await format.read(wish.data)
  if (table.size === 0) throw invalid('price.nonsense', { format: wish.format }, 'data')
  if (table.size > modelsMax) throw invalid('price.too_many', { max: modelsMax }, 'data')
  const [sums, carried] = [await recentSums(ctx), await carriedModels(ctx)]
  const compared = await compare(ctx.options(), table)
  const rows = await inPortions(compared, (row) => ({
    ...row,
    used: carried.has(row.model),
    traffic: trafficOf(sums.get(row.model)),
  }))
  const at = epochSeconds(ctx)
  const id = `${at}-${randomText(16)}`
  const lines = await inPortions(rows, ({ model }) => JSON.stringify([model, table.get(model) ?? null]))
  await workTurn()
  await keepPreview(ctx.database.db, id, lines.join('\n'), String(at - keptSeconds))
  return { id, rows }
}

async function fetchTable(format: Format, given: string | undefined): Promise<PriceTable> {
  const url = given || format.url
  if (!url) throw invalid('price.url', {}, 'url')
  const base = withoutTrailing(url, '/')
  const isWhole = format.paths.length === 0 || format.paths.some((path) => base.endsWith(path))
  let refusal: unknown
  for (const address of isWhole ? [url] : format.paths.map((path) => base + path)) {
    try {
      const { bytes } = await guardedFetch(address, undefined, { maxBytes: fetchedBytesMax, timeout: 30_000 })
      const text = Buffer.from(bytes).toString('utf8')
      const table = await format.read(jsonFault(text, longListValuesMax) ? undefined : parseJson(text))
      if (table.size > 0) return table
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error
      refusal = error
    }
  }
  if (refusal instanceof Error) throw new AppError('price.unreachable', { detail: refusal.message })
  return new Map()
}

const syncPriceOf = (price: ModelPrice | null): SyncPrice | null => {
  if (!price) return null
  const amounts = priceAmounts(price)
  if (!price.perRequest) return { ...amounts, per_request_usd: null }
  return { ...amounts, input_usd: null, per_request_usd: amounts.input_usd }
}

const isSame = (a: SyncPrice | null, b: SyncPrice | null): boolean =>
  a !== null && b !== null && (Object.keys(a) as (keyof SyncPrice)[]).every((field) => a[field] === b[field])

const ownOf = (price: SyncPrice | null): OwnPrice | null => price && { ...nothingSet, ...price }

/** Without what was asked of the models. */
type Compared = Omit<SyncRow, 'used' | 'traffic'>

/** Compares what models cost now with what they would cost, each as it would be charged. */
async function compare(options: OptionValues, table: PriceTable): Promise<Compared[]> {
  const [now, shelf] = [priceBookOf(options), await copyShelf(options)]
  const pace = createPace()
  const own = new Set<string>()
  for (const key of priceOptions) await inPortions(shelf[key].keys(), (model) => own.add(model), pace)
  const usable: [string, SyncPrice][] = []
  await inPortions(
    table,
    ([model, price]) => {
      if (setOwnPrice(shelf, model, ownOf(price)) === null) usable.push([model, price])
    },
    pace,
  )
  const then = priceBookOfShelf(shelf, options.GroupRatio)
  const rows = await inPortions(usable, ([model, price]): Compared => {
    const old = syncPriceOf(now.priceOf(model))
    const found = then.priceOf(model)
    const charged = syncPriceOf(found)
    const change = old === null ? 'new' : isSame(old, charged) ? 'same' : 'changed'
    const next = isByPiece(found) ? charged : price
    return { model, change, old, new: next, charged, percent: percentOf(old, next), own: own.has(model) }
  })
  const missing = [...own].filter((model) => !table.has(model))
  const gone = await inPortions(
    missing,
    (model): Compared => ({
      model,
      change: 'gone',
      old: syncPriceOf(now.priceOf(model)),
      new: null,
      charged: null,
      percent: null,
      own: true,
    }),
  )
  return [...rows, ...gone]
}

/** Sold by the picture, second or character: what a list says of tokens moves that price. */
const isByPiece = (price: ModelPrice | null): boolean =>
  price !== null && price.unit !== 'token' && price.unit !== 'request'

/** Between a price of tokens and one of requests there is nothing to compare. */
function percentOf(old: SyncPrice | null, next: SyncPrice | null): number | null {
  const field = (next?.per_request_usd ?? null) === null ? 'input_usd' : 'per_request_usd'
  const [from, to] = [old?.[field] ?? null, next?.[field] ?? null]
  if (from === null || to === null || from === 0) return null
  return Number((((to - from) / from) * 100).toFixed(2))
}

/** Applies the chosen rows of a preview in one entry of the history. Returns how many. */
export async function applyPreview(
  ctx: Context,
  actor: Actor,
  { id, models }: { id: string; models: readonly string[] },
): Promise<number> {
  const kept = await findPreview(ctx.database.db, id)
  const isOld = Number(id.split('-')[0]) < epochSeconds(ctx) - keptSeconds
  if (kept === undefined || isOld) throw new AppError('price.preview_gone')
  const prices = new Map<string, SyncPrice | null>()
  await inPortions(kept.split('\n').filter(Boolean), (line) => {
    const [model, price] = JSON.parse(line) as [string, SyncPrice | null]
    prices.set(model, price)
  })
  const unknown = models.find((model) => !prices.has(model))
  if (unknown !== undefined) throw invalid('price.unknown_model', { model: unknown.slice(0, 200) }, 'models')
  const changes = new Map<string, OwnPrice | null>()
  await inPortions(models, (model) => {
    changes.set(model, ownOf(prices.get(model) ?? null))
  })
  await makeChanges(ctx, actor, { changes, event: { code: 'prices.synced', values: { count: changes.size } } })
  return changes.size
}
