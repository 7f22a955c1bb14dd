import type { z } from 'zod'
import { publicPrice } from '#server/billing/pricing/list-cost.ts'
import { nothingSet, type OwnPrice, type PriceProblem } from '#server/billing/pricing/own-prices.ts'
import { inputFor } from '#server/billing/pricing/price-amounts.ts'
import { openPrices, ownPrice, setOwnPrice } from '#server/billing/pricing/stored-prices.ts'
import type { Context } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { logAction } from '#server/history/log-action.ts'
import { record } from '#server/history/record.ts'
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

/** Writes prices into the options in one step, with one entry of the history. */
async function changePrices(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  { changes, event }: { readonly changes: PriceChanges; readonly event: LogEvent },
): Promise<void> {
  const { shelf, save } = await openPrices(tx, ctx.secrets)
  const things = await inPortions(changes, ([model, wished]) => {
    const before = ownPrice(shelf, model)
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
    return { id: model, name: model, before, after: ownPrice(shelf, model) }
  })
  await save()
  await logAction(ctx, tx, actor, event)
  await record(ctx, tx, actor, { kind: 'price', things })
}

/** Changes prices; when this resolves, this node charges the new ones. */
export async function makeChanges(ctx: Context, actor: Actor, changes: PriceChanges, event: LogEvent): Promise<void> {
  await transact(ctx, async (tx, announce) => {
    await changePrices(ctx, tx, actor, { changes, event })
    announce({ topic: 'options' })
  })
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
  await makeChanges(ctx, actor, new Map([[model, own]]), event)
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

export async function removePrice(ctx: Context, actor: Actor, model: string): Promise<void> {
  await transact(ctx, async (tx, announce) => {
    const { shelf } = await openPrices(tx, ctx.secrets)
    if (!ownPrice(shelf, model)) throw new AppError('price.not_own', { model: model.slice(0, 200) })
    await changePrices(ctx, tx, actor, {
      changes: new Map([[model, null]]),
      event: { code: 'price.removed', values: { model } },
    })
    announce({ topic: 'options' })
  })
  await ctx.refreshOptions()
}
