import type { z } from 'zod'
import { priceBookOf } from '#server/billing/pricing/price-book.ts'
import type { Context } from '#server/context.ts'
import type { Attention } from '#shared/api/status.ts'
import { commaList } from '#shared/comma-list.ts'
import { channelStatus } from '#shared/statuses.ts'

/** What waits for somebody: channels that went off by themselves, and models that are refused for want of a price. */
export async function attention({
  database: { db },
  options,
}: Pick<Context, 'database' | 'options'>): Promise<z.output<typeof Attention>> {
  const channels = await db.selectFrom('channels').select(['status', 'models']).execute()
  const carried = new Set(
    channels.filter(({ status }) => status === channelStatus.enabled).flatMap(({ models }) => commaList(models)),
  )
  const book = priceBookOf(options())
  return {
    channels: channels.filter(({ status }) => status === channelStatus.autoDisabled).length,
    prices: [...carried].filter((model) => book.priceOf(model) === null).length,
  }
}
