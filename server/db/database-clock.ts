import { type RawBuilder, sql } from 'kysely'
import { type Db, isSqlite } from './database.ts'

/** Seconds since the epoch by the one clock that all nodes of a database share: its own. */
export const databaseSeconds = (db: Db): RawBuilder<number> =>
  isSqlite(db) ? sql<number>`unixepoch()` : sql<number>`cast(extract(epoch from clock_timestamp()) as bigint)`
