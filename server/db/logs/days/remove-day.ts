import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import { lockFoldMark, totalsTables } from '#server/db/logs/log-totals.ts'
import { lockUsageMark, loggedUsage } from '#server/db/usage/fold.ts'
import { addUsage } from '#server/db/usage/store.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import { dropDay, type LogDay, lockDay } from './log-days.ts'

/** Drops all log rows of a day at once, and its totals. The figures of the usage stay. */
export async function removeDay(tx: Tx, day: LogDay): Promise<void> {
  await lockFoldMark(tx)
  const mark = await lockUsageMark(tx)
  await lockDay(tx, day)
  const from = day * daySeconds
  const within = sql<boolean>`created_at >= ${from} and created_at < ${from + daySeconds}`
  await addUsage(tx, await loggedUsage(tx, sql`id > ${mark} and ${within}`))
  for (const { name } of totalsTables) await sql`delete from ${sql.table(name)} where day = ${day}`.execute(tx)
  await dropDay(tx, day)
}
