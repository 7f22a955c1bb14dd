import type { Context } from '#server/context.ts'
import type { routingApi } from '#shared/api/routing.ts'
import type { OutputOf } from '#shared/contract.ts'

const quarterSeconds = 900

/** When channels were limited or rested, in the quarter hour of a time and later. */
export async function channelTroubles(ctx: Context, from: number): Promise<OutputOf<typeof routingApi.troubles>> {
  const rows = await ctx.database.db
    .selectFrom('channel_troubles')
    .selectAll()
    .where('slot', '>', from - quarterSeconds)
    .orderBy('slot')
    .execute()
  return [...Map.groupBy(rows, ({ channel_id }) => channel_id)].map(([channel_id, own]) => {
    const slotsOf = (kind: string) => own.filter((row) => row.kind === kind).map(({ slot }) => slot)
    return { channel_id, limited: slotsOf('limit'), rested: slotsOf('rest') }
  })
}
