import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { SharedClock } from '#server/lib/time/shared-clock.ts'
import { type Db, isSqlite } from './database.ts'

/** Seconds since the epoch by the one clock that all nodes of a database share: its own. */
export const databaseSeconds = (db: Db): RawBuilder<number> =>
  isSqlite(db) ? sql<number>`unixepoch()` : sql<number>`cast(extract(epoch from clock_timestamp()) as bigint)`

export const secondsAgo = (db: Db, seconds: number): RawBuilder<number> =>
  sql<number>`${databaseSeconds(db)} - ${sql.lit(seconds)}`

/** Asks the database what time it is, beside what else is asked; returns the row. */
export async function askClock(
  client: Pick<pg.ClientBase, 'query'>,
  follow: SharedClock['follow'],
  also = '',
): Promise<Record<string, unknown>> {
  const askedAt = performance.now()
  const { rows } = await client.query(`select extract(epoch from clock_timestamp())::float8 * 1000 as now${also}`)
  const row = rows[0] as Record<string, unknown>
  follow(Number(row.now), askedAt, performance.now())
  return row
}
