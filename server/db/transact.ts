import { sql } from 'kysely'
import type { Change, ChangeFeed } from '#server/lib/changes.ts'
import type { AnyDatabase, Tx } from './database.ts'

export const notifyChannel = 'switchyard_changes'

/** Announces a change. Every node receives it when, and only if, the transaction commits. */
export type Announce = (change: Change) => void

/** PostgreSQL takes no more than 8,000 bytes in one notification. */
const changesAtOnce = 100

function payloadsOf(from: string, announced: readonly Change[]): string[] {
  const payloads: string[] = []
  for (let at = 0; at < announced.length; at += changesAtOnce) {
    payloads.push(JSON.stringify({ from, changes: announced.slice(at, at + changesAtOnce) }))
  }
  return payloads
}

/** A transaction whose announcements reach this process right after the commit and other nodes through the database. */
export async function transact<Result>(
  { database, changes, nodeId }: { database: AnyDatabase; changes: ChangeFeed; nodeId: string },
  work: (tx: Tx, announce: Announce) => Promise<Result>,
): Promise<Result> {
  const announced: Change[] = []
  const result = await database.db.transaction().execute(async (tx) => {
    const value = await work(tx, (change) => announced.push(change))
    if (database.engine === 'postgres' && announced.length > 0) {
      await sql`select pg_notify(${notifyChannel}, news) from unnest(cast(${payloadsOf(nodeId, announced)} as text[])) as news`.execute(
        tx,
      )
    }
    return value
  })
  for (const change of announced) changes.emit(change)
  return result
}
