import { type Context, epochSeconds } from '#server/context.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { reading } from '#server/db/reading.ts'
import { attemptsIn } from '#server/db/usage/cells.ts'
import { letIn } from '#server/db/usage/filter.ts'
import { prepare, readSums } from '#server/db/usage/read.ts'
import { daySeconds } from '#server/lib/time/day.ts'

/** Of the attempts of the last 24 hours, the share each channel answered; channels without any are missing. */
export function successShares(ctx: Context, db: Db | Tx): Promise<Map<number, number>> {
  const to = epochSeconds(ctx) + 1
  const read = async (tx: Tx) => {
    const question = { filter: letIn, buckets: [{ from: to - daySeconds, to }], by: 'channel' as const }
    const sums = await readSums(tx, await prepare(tx, question))
    return new Map(
      sums.map(({ key, ...each }) => {
        const { made, failed } = attemptsIn(each)
        return [Number(key), (made - failed) / made]
      }),
    )
  }
  return db.isTransaction ? read(db as Tx) : reading(ctx, read)
}
