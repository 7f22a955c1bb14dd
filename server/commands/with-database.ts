import { type AnyDatabase, openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'

/** Opens a database and brings it up to date, for as long as the work takes. `applied` names the migrations that were due. */
export async function withDatabase<Result>(
  url: string,
  work: (database: AnyDatabase, applied: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(url)
  try {
    return await work(database, await migrate(database))
  } finally {
    await database.close()
  }
}
