import { type Context, epochSeconds } from '#server/context.ts'
import { daysWithoutHours, refillHours } from '#server/db/usage/fill.ts'
import { lockUsageMark } from '#server/db/usage/fold.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import type { Job } from './job.ts'

/** Longer than a rolling upgrade takes. */
const days = 7

/** While nodes are replaced one by one, one of the version before may lead, and what it folds has no hours. */
export async function mendHours(ctx: Context): Promise<void> {
  if (ctx.database.engine === 'sqlite') return
  const now = epochSeconds(ctx)
  const from = now - (now % daySeconds) - days * daySeconds
  const { db } = ctx.database
  if ((await daysWithoutHours(db, from)).length === 0) return
  await db.transaction().execute(async (tx) => {
    await lockUsageMark(tx)
    await refillHours(tx, await daysWithoutHours(tx, from))
  })
}

export const mendHoursJob: Job = { name: 'mend-hours', everyMs: 10 * 60_000, leader: true, run: mendHours }
