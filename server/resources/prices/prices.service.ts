import type { z } from 'zod'
import { publicPrice } from '#server/billing/pricing/list-cost.ts'
import {
  nothingSet,
  type OwnPrice,
  type PriceOption,
  type PriceProblem,
  priceOptions,
} from '#server/billing/pricing/own-prices.ts'
import { inputFor } from '#server/billing/pricing/price-amounts.ts'
import {
  changedTexts,
  ownPrice,
  type PriceTexts,
  readPriceTexts,
  setOwnPrice,
  shelfOfTexts,
} from '#server/billing/pricing/stored-prices.ts'
import type { Context } from '#server/context.ts'
import { lockOptions, writeOption } from '#server/db/stored-options.ts'
import { transact } from '#server/db/transact.ts'
import { logAction } from '#server/history/log-action.ts'
import { itemOf, type PreparedChange, prepareItems, recordPrepared } from '#server/history/record.ts'
import type { Actor } from '#server/http/call.ts'
import { inPortions } from '#server/lib/in-portions.ts'
import type { PriceRow, pricesApi } from '#shared/api/prices.ts'
import { AppError, invalid } from '#shared/errors.ts'
import type { LogEvent } from '#shared/log-events.ts'
import { formatUsd } from '#shared/usd.ts'
import { priceRowOf } from './price-rows.ts'

type PriceInput = z.output<typeof pricesApi.set.input>

/** Prices by model; null goes back to the list price. */
export type PriceChanges = ReadonlyMap<string, OwnPrice | null>

export const refusePrice = (problem: PriceProblem, model: string): AppError => invalid(problem, { model }, 'model')

export interface PriceChange {
  readonly changes: PriceChanges
  readonly event: LogEvent
  /** Refuses to take back what nobody has set. */
  readonly mustExist?: boolean
}

interface PreparedPrices {
  /** What was read: as long as it stands, the rest is true. */
  readonly texts: PriceTexts
  readonly written: readonly (readonly [PriceOption, string])[]
  readonly entry: PreparedChange
}

/** Works out the new options and the entry of the history, in portions. */
async function prepare(
  ctx: Context,
  actor: Actor,
  { changes, mustExist }: PriceChange,
  texts: PriceTexts,
): Promise<PreparedPrices> {
  const shelf = await shelfOfTexts(texts)
  const things = await inPortions(changes, ([model, wished]) => {
    const before = ownPrice(shelf, model)
    if (mustExist && !before) throw new AppError('price.not_own', { model: model.slice(0, 200) })
    const isByToken = wished !== null && wished.per_request_usd === null
    const kept = !isByToken
      ? wished
      : {
          ...wished,
          audio_ratio: wished.audio_ratio ?? before?.audio_ratio ?? null,
          audio_completion_ratio: wished.audio_completion_ratio ?? before?.audio_completion_ratio ?? null,
          image_ratio: wished.image_ratio ?? before?.image_ratio ?? null,
        }
    const problem = setOwnPrice(shelf, model, kept)
    if (problem) throw refusePrice(problem, model)
    return itemOf('price', { id: model, name: model, before, after: ownPrice(shelf, model) })
  })
  const written = await changedTexts(texts, shelf)
  return { texts, written, entry: await prepareItems(ctx, actor, { kind: 'price', items: things }) }
}

const isSame = (one: PriceTexts, other: PriceTexts): boolean => priceOptions.every((key) => one[key] === other[key])

/** So often somebody else may be quicker; then others wait for this change. */
const triesMax = 3

/**
 * Changes prices, with one entry of the history; when this resolves, this node charges the new ones. What is written is worked out
 * before the transaction, so that nobody waits for it, and again when somebody else has changed prices meanwhile.
 */
export async function makeChanges(ctx: Context, actor: Actor, change: PriceChange): Promise<void> {
  let isDone = false
  for (let tries = 1; !isDone; tries += 1) {
    const early = await prepare(ctx, actor, change, await readPriceTexts(ctx.database.db))
    isDone = await transact(ctx, async (tx, announce) => {
      await lockOptions(tx)
      const texts = await readPriceTexts(tx)
      const isCurrent = isSame(texts, early.texts)
      if (!isCurrent && tries < triesMax) return false
      const { written, entry } = isCurrent ? early : await prepare(ctx, actor, change, texts)
      for (const [key, text] of written) await writeOption(tx, ctx.secrets, key, text)
      await logAction(ctx, tx, actor, change.event)
      await recordPrepared(ctx, tx, entry)
      announce({ topic: 'options' })
      return true
    })
  }
  await ctx.refreshOptions()
}

export async function setPrice(ctx: Context, actor: Actor, { model, ...wish }: PriceInput): Promise<PriceRow> {
  const isByToken = [wish.input_usd, wish.output_usd, wish.cache_read_usd, wish.cache_write_usd].some(
    (usd) => usd !== undefined,
  )
  const ways = [isByToken, wish.each_usd !== undefined, wish.per_request_usd !== undefined]
  if (ways.filter(Boolean).length > 1)
    throw invalid('price.both', {}, wish.per_request_usd === undefined ? 'each_usd' : 'per_request_usd')
  const input = wish.each_usd === undefined ? wish.input_usd : inputOf(model, wish.each_usd)
  if (wish.per_request_usd === undefined && input === undefined) throw invalid('price.missing', {}, 'input_usd')
  const own: OwnPrice = {
    ...nothingSet,
    input_usd: input ?? null,
    output_usd: wish.output_usd ?? null,
    cache_read_usd: wish.cache_read_usd ?? null,
    cache_write_usd: wish.cache_write_usd ?? null,
    per_request_usd: wish.per_request_usd ?? null,
  }
  const event: LogEvent = { code: 'price.set', values: { model, prices: pricesOf(own) } }
  await makeChanges(ctx, actor, { changes: new Map([[model, own]]), event })
  return priceRowOf(ctx, model)
}

/** The input price that makes a picture, a second or a million characters of a model cost so much. */
function inputOf(model: string, each: number): number {
  const unit = publicPrice(model)?.unit
  if (!unit || unit === 'token' || unit === 'request') throw invalid('price.not_by_unit', { model }, 'each_usd')
  return inputFor(unit, each)
}

const pricesOf = (own: OwnPrice): LogEvent[] =>
  Object.entries(own).flatMap(([field, usd]) =>
    usd === null ? [] : [{ code: 'part.price' as const, values: { field, usd: formatUsd(usd) } }],
  )

export const removePrice = (ctx: Context, actor: Actor, model: string): Promise<void> =>
  makeChanges(ctx, actor, {
    changes: new Map([[model, null]]),
    event: { code: 'price.removed', values: { model } },
    mustExist: true,
  })
