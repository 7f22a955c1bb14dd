import type { AnyDatabase } from '#server/db/database.ts'
import { addDays, gaveUpWaiting, waitBriefly } from './log-days.ts'
import { dayAhead, isPartitioned } from './partition-log.ts'
import { forgetUnfinished } from './turn-log.ts'

/** So many that a job which fails for days is noticed before rows have no day of their own. */
const daysAhead = 7

/** Partitions of the log for the days to come. PostgreSQL only. */
export async function addComingDays({ engine, db }: AnyDatabase): Promise<void> {
  if (engine === 'sqlite') return
  if (!(await isPartitioned(db))) return forgetUnfinished(db)
  const today = await dayAhead(db, 0)
  for (let day = today; day <= today + daysAhead; day++) {
    try {
      await db.transaction().execute(async (tx) => {
        await waitBriefly(tx)
        await addDays(tx, day, 1)
      })
    } catch (error) {
      if (!gaveUpWaiting(error)) throw error
      return
    }
  }
}
