import { sql } from 'kysely'
import type { AnyDatabase, Tx } from './database.ts'

/**
 * One state of the database for several reads, so that no row counts twice or not at all. PostgreSQL neither compiles their
 * statements nor shares them out among workers: that takes longer than most of them.
 */
export const reading = <Result>(
  { database }: { readonly database: AnyDatabase },
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> =>
  (database.engine === 'postgres' ? database.reader() : database.db)
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      if (database.engine === 'postgres')
        await sql`select set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`.execute(
          tx,
        )
      return work(tx)
    })
