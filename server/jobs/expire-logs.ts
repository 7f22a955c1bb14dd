import { type Context, epochSeconds } from '#server/context.ts'
import { gaveUpWaiting, logDays, waitBriefly } from '#server/db/logs/days/log-days.ts'
import { removeDay } from '#server/db/logs/days/remove-day.ts'
import { removeOldest } from '#server/db/logs/log-totals.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import type { Job } from './job.ts'

const rowsPerStep = 500
const pauseMs = 20

/** Days that are past their time as a whole go at once. */
async function dropDays({ database: { db } }: Context, before: number): Promise<void> {
  for (const day of (await logDays(db)).filter((each) => (each + 1) * daySeconds <= before)) {
    await db.transaction().execute(async (tx) => {
      await waitBriefly(tx)
      await removeDay(tx, day)
    })
  }
}

/** Deletes log rows past their time, in steps too small to slow requests. The usage figures stay. */
export async function expireLogs(ctx: Context): Promise<void> {
  const days = ctx.options().LogRetentionDays
  if (days === 0) return
  const before = epochSeconds(ctx) - days * daySeconds
  if (ctx.database.engine === 'postgres') {
    await dropDays(ctx, before).catch((error) => {
      if (!gaveUpWaiting(error)) throw error
    })
  }
  for (;;) {
    const removed = await ctx.database.db.transaction().execute((tx) => removeOldest(tx, before, before, rowsPerStep))
    if (removed === 0) return
    await Bun.sleep(pauseMs)
  }
}

export const expireLogsJob: Job = { name: 'expire-logs', everyMs: 10 * 60_000, leader: true, run: expireLogs }
