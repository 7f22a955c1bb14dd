import type { z } from 'zod'
import { openPrices, ownPrice, setTokenPrice } from '#server/billing/pricing/stored-prices.ts'
import type { Context } from '#server/context.ts'
import { transact } from '#server/db/transact.ts'
import type { Item } from '#server/history/item.ts'
import { logAction } from '#server/history/log-action.ts'
import { itemOf, recordItems } from '#server/history/record.ts'
import type { Actor } from '#server/http/call.ts'
import { compact } from '#server/lib/json.ts'
import { lockChannels, updateChannel } from '#server/resources/channels/channels.store.ts'
import type { routingApi } from '#shared/api/routing.ts'
import { invalid } from '#shared/errors.ts'

type Draft = z.output<typeof routingApi.apply.input>

/** Applies a draft of channels and prices, all of it in one entry of the history or nothing. Returns how many things changed. */
export async function applyRouting(ctx: Context, actor: Actor, { channels, prices = {} }: Draft): Promise<number> {
  const models = Object.entries(prices)
  if (channels.length === 0 && models.length === 0) throw invalid('batch.empty')
  const count = await transact(ctx, async (tx, announce) => {
    const items: Item[] = []
    const { shelf, save } = await openPrices(tx, ctx.secrets)
    const present = await lockChannels(
      tx,
      channels.map(({ id }) => id),
    )
    const rows = new Map(present.map((row) => [row.id, row]))
    for (const { id, ...fields } of channels) {
      const before = rows.get(id)
      const after = before && (await updateChannel(tx, id, { id, ...compact(fields) }))
      if (!before || !after) throw invalid('batch.unknown_id', { id }, 'channels')
      rows.set(id, after)
      items.push(itemOf('channel', { id, name: after.name, before, after }))
    }
    for (const [model, price] of models) {
      const before = ownPrice(shelf, model)
      const problem = setTokenPrice(shelf, model, price)
      if (problem) throw invalid(problem, { model }, 'prices')
      items.push(itemOf('price', { id: model, name: model, before, after: ownPrice(shelf, model) }))
    }
    if (models.length > 0) await save()
    const things = items.map(({ kind, name }) => `${kind} ${name}`).join(', ')
    await logAction(ctx, tx, actor, { code: 'routing.applied', values: { things: things.slice(0, 900) } })
    await recordItems(ctx, tx, actor, { kind: channels.length > 0 ? 'channel' : 'price', items })
    if (channels.length > 0) announce({ topic: 'channels' })
    if (models.length > 0) announce({ topic: 'options' })
    return items.length
  })
  await ctx.refreshOptions()
  return count
}
