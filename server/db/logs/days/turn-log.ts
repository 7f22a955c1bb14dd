import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import { gaveUpWaiting, waitBriefly } from './log-days.ts'
import { dayAhead, endConstraint, isPartitioned, partitionLog, uniqueIndex } from './partition-log.ts'

const lockNumber = 7_417_213
const daysUntilFirst = 2
const tries = 60
const pauseMs = 1000

/** Removes the constraint of an interrupted run, which would refuse rows from its day on. */
export async function forgetUnfinished(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(${lockNumber}) as free from pg_constraint
      where conname = ${endConstraint} and conrelid = to_regclass('logs')`.execute(tx)
    if (rows[0]?.free) await sql`alter table logs drop constraint if exists ${sql.ref(endConstraint)}`.execute(tx)
  })
}

/**
 * Turns a log with rows into a partitioned one while others use it: the key is built and the rows are checked beside them, so that
 * the last step takes a moment. From the day after tomorrow on each day has a partition of its own. Returns whether there was
 * anything to do.
 */
export const turnLog = (db: Db): Promise<boolean> =>
  db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${lockNumber})`.execute(connection)
    try {
      if (await isPartitioned(connection)) return false
      await prepareTurn(connection)
      await finishTurn(connection)
      return true
    } finally {
      await sql`select pg_advisory_unlock(${lockNumber})`.execute(connection)
    }
  })

async function prepareTurn(db: Db): Promise<void> {
  const end = (await dayAhead(db, daysUntilFirst)) * daySeconds
  const constraint = sql.ref(endConstraint)
  await sql`alter table logs drop constraint if exists ${constraint}`.execute(db)
  // An index whose creation was interrupted cannot be used.
  await sql`drop index if exists ${sql.ref(uniqueIndex)}`.execute(db)
  await sql`create unique index concurrently ${sql.ref(uniqueIndex)} on logs (id, created_at)`.execute(db)
  await sql`alter table logs add constraint ${constraint} check (created_at < ${sql.lit(end)}) not valid`.execute(db)
  try {
    await sql`alter table logs validate constraint ${constraint}`.execute(db)
  } catch (error) {
    await sql`alter table logs drop constraint if exists ${constraint}`.execute(db)
    throw error
  }
}

async function finishTurn(db: Db): Promise<void> {
  for (let left = tries; ; left--) {
    try {
      const firstDay = await dayAhead(db, daysUntilFirst)
      return await db.transaction().execute(async (tx) => {
        await waitBriefly(tx)
        await partitionLog(tx, firstDay)
      })
    } catch (error) {
      if (!gaveUpWaiting(error) || left === 0) throw error
      await Bun.sleep(pauseMs)
    }
  }
}
