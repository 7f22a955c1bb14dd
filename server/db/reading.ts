import type { AnyDatabase, Tx } from './database.ts'

/** One state of the database for several reads, so that no row counts twice or not at all. */
export const reading = <Result>(
  { database }: { readonly database: AnyDatabase },
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> => database.db.transaction().setIsolationLevel('repeatable read').execute(work)
