import { type Context, epochSeconds } from '#server/context.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { reading } from '#server/db/reading.ts'
import { prepare, readSums } from '#server/db/usage/read.ts'
import { daySeconds } from '#server/lib/time/day.ts'

/** Of the requests of the last 24 hours, the share each channel answered; channels without requests are missing. */
export function successShares(ctx: Context, db: Db | Tx): Promise<Map<number, number>> {
  const to = epochSeconds(ctx) + 1
  const read = async (tx: Tx) => {
    const question = { filter: [], buckets: [{ from: to - daySeconds, to }], by: 'channel' as const }
    const sums = await readSums(tx, await prepare(tx, question))
    return new Map(
      sums
        .filter(({ requests }) => requests > 0)
        .map(({ key, requests, failed }) => [Number(key), (requests - failed) / requests]),
    )
  }
  return db.isTransaction ? read(db as Tx) : reading(ctx, read)
}
