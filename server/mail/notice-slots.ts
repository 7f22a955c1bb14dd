import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { type Context, epochSeconds } from '#server/context.ts'

/** What is reported to the operator. */
export type NoticeKind = 'budget' | 'channel_disabled' | 'channel_enabled' | 'channel_slow'

export const noticesPerHour = 5
const hourSeconds = 3600

type Needs = Pick<Context, 'clock' | 'database'>

const keyOf = (kind: NoticeKind, slot: number): string => `notice:${kind}:${slot}`

/** One of the notices of a kind that may be sent in an hour, by all nodes together; null when all were. */
export async function claimNotice(ctx: Needs, kind: NoticeKind): Promise<number | null> {
  const now = epochSeconds(ctx)
  const isFree: RawBuilder<boolean> = sql`cast(meta.value as bigint) <= ${now - hourSeconds}`
  for (let slot = 0; slot < noticesPerHour; slot += 1) {
    const { numInsertedOrUpdatedRows = 0n } = await ctx.database.db
      .insertInto('meta')
      .values({ key: keyOf(kind, slot), value: String(now) })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({ value: String(now) })
          .where(isFree),
      )
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows > 0n) return slot
  }
  return null
}

/** What could not be sent does not count. */
export const releaseNotice = (ctx: Needs, kind: NoticeKind, slot: number) =>
  ctx.database.db.deleteFrom('meta').where('key', '=', keyOf(kind, slot)).execute()
