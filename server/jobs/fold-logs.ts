import { type SqlBool, sql } from 'kysely'
import type { Context } from '#server/context.ts'
import type { AnyDatabase, SqliteDatabase } from '#server/db/database.ts'
import { addCellsToTotals, addToTotals, highestLogId, lockFoldMark, writeFoldMark } from '#server/db/logs/log-totals.ts'
import { settledLogId } from '#server/db/settled-id.ts'
import { foldUsage, lockUsageMark, type Pace, servingPace, writeUsageMark } from '#server/db/usage/fold.ts'
import { addFinest } from '#server/db/usage/store.ts'
import { othersTurn } from '#server/lib/others-turn.ts'
import type { Job } from './job.ts'

/** Adds new log rows to the totals and the roll-ups: what is known in memory from there, what is older and what is not from the log. */
export async function foldLogs({ database }: Pick<Context, 'database'>, pace = servingPace): Promise<void> {
  const settled = (await settledLogId(database)) ?? 0
  const known = database.engine === 'sqlite' ? database.fresh.after() : undefined
  await foldStored(database, Math.min(settled, known ?? settled), pace)
  if (database.engine === 'sqlite' && known !== undefined && (await foldFresh(database)) < settled)
    await foldStored(database, settled, pace)
}

/** Returns up to which row all are folded; 0 when nothing was known that could be added. */
const foldFresh = ({ db, fresh }: SqliteDatabase): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const marks = [await lockFoldMark(tx), await lockUsageMark(tx)]
    const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(tx)
    const part = fresh.take()
    // Another process may have changed the log since.
    if (!part || part.version !== rows[0]?.data_version || marks.some((mark) => mark !== part.after)) return 0
    await addCellsToTotals(tx, part.cells)
    await addFinest(tx, part.cells)
    await writeFoldMark(tx, part.upTo)
    await writeUsageMark(tx, part.upTo)
    return part.upTo
  })

/** Adds rows as they stand in the log, in small steps so that nothing else waits for long. */
async function foldStored(database: AnyDatabase, settled: number, pace: Pace): Promise<void> {
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
    await othersTurn()
  }
}

export const foldLogsJob: Job = { name: 'fold-logs', everyMs: 10_000, leader: true, run: (ctx) => foldLogs(ctx) }
