import { sql } from 'kysely'
import type { AnyDatabase, Db } from './database.ts'
import { highestLogId } from './logs/log-totals.ts'

const timeoutMs = 2000
const pauseMs = 10

/** Transactions that write to the log, by the number they have until they end. */
async function writers(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ writer: string }>`
    select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = 'logs'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return new Set(rows.map(({ writer }) => writer))
}

/**
 * The highest id below which no log row can appear any more; null when that could not be found out in time. SQLite has one
 * writer, so ids commit in order. On PostgreSQL an insert locks the table before it takes its id: once all who hold such a lock
 * now have ended, every id given out so far is visible or never will be. This takes no lock itself.
 */
export async function settledLogId({ engine, db }: AnyDatabase): Promise<number | null> {
  const highest = await highestLogId(db)
  if (engine === 'sqlite') return highest
  const until = performance.now() + timeoutMs
  let open = await writers(db)
  while (open.size > 0) {
    if (performance.now() > until) return null
    await Bun.sleep(pauseMs)
    open = open.intersection(await writers(db))
  }
  return highest
}
