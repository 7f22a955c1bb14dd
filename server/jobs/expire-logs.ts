import { type Context, epochSeconds } from '#server/context.ts'
import { daySeconds, removeOldest } from '#server/db/logs/log-totals.ts'
import type { Job } from './job.ts'

const rowsPerStep = 500
const pauseMs = 20

/** Deletes log rows past their time, in steps that nobody notices. The figures of the usage stay. */
export async function expireLogs(ctx: Context): Promise<void> {
  const days = ctx.options().LogRetentionDays
  if (days === 0) return
  const before = epochSeconds(ctx) - days * daySeconds
  for (;;) {
    const removed = await ctx.database.db.transaction().execute((tx) => removeOldest(tx, before, before, rowsPerStep))
    if (removed === 0) return
    await Bun.sleep(pauseMs)
  }
}

export const expireLogsJob: Job = { name: 'expire-logs', everyMs: 10 * 60_000, leader: true, run: expireLogs }
