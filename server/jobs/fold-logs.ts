import { type SqlBool, sql } from 'kysely'
import type { Context } from '#server/context.ts'
import { addToTotals, highestLogId, lockFoldMark, writeFoldMark } from '#server/db/logs/log-totals.ts'
import { settledLogId } from '#server/db/settled-id.ts'
import { foldUsage, servingPace } from '#server/db/usage/fold.ts'
import type { Job } from './job.ts'

/** Adds new log rows to the totals, in small steps so that nothing else waits for long. */
export async function foldLogs({ database }: Pick<Context, 'database'>, pace = servingPace): Promise<void> {
  const settled = (await settledLogId(database)) ?? 0
  await foldUsage(database, settled, pace)
  // Rows of one user make a few sums, rows of many users as many: a step takes as many rows as it can in its time.
  let rows = pace.leastRows
  for (;;) {
    const began = performance.now()
    const mark = await database.db.transaction().execute(async (tx) => {
      const before = await lockFoldMark(tx)
      // Rows may have been deleted since, and their ids given out again.
      const end = Math.min(settled, await highestLogId(tx))
      if (before >= end) return settled
      const after = Math.min(before + rows, end)
      await addToTotals(tx, sql<SqlBool>`id > ${before} and id <= ${after}`, 1)
      await writeFoldMark(tx, after)
      return after
    })
    if (mark >= settled) return
    rows =
      performance.now() - began > pace.stepMs ? Math.max(pace.leastRows, rows / 2) : Math.min(pace.mostRows, rows * 2)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

export const foldLogsJob: Job = { name: 'fold-logs', everyMs: 10_000, leader: true, run: (ctx) => foldLogs(ctx) }
