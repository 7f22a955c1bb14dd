import { sql } from 'kysely'
import type { Change, ChangeFeed } from '#server/lib/changes.ts'
import type { AnyDatabase, Tx } from './database.ts'

export const notifyChannel = 'switchyard_changes'

/** Says that something changed. Received by every node when, and only if, the transaction commits. */
export type Announce = (change: Change) => void

/** A transaction whose announcements reach this process right after the commit and other nodes through the database. */
export async function transact<Result>(
  { database, changes, nodeId }: { database: AnyDatabase; changes: ChangeFeed; nodeId: string },
  work: (tx: Tx, announce: Announce) => Promise<Result>,
): Promise<Result> {
  const announced: Change[] = []
  const result = await database.db.transaction().execute(async (tx) => {
    const value = await work(tx, (change) => announced.push(change))
    if (database.engine === 'postgres' && announced.length > 0) {
      await sql`select pg_notify(${notifyChannel}, ${JSON.stringify({ from: nodeId, changes: announced })})`.execute(tx)
    }
    return value
  })
  for (const change of announced) changes.emit(change)
  return result
}
