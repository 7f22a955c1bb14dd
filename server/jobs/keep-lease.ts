import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { noNode } from '#server/billing/ledger/lasting-holds.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/db/database.ts'
import { databaseSeconds, secondsAgo } from '#server/db/database-clock.ts'
import type { Job } from './job.ts'

/** Seconds a node counts as alive after its last sign. */
const leaseSeconds = 20

/** Heartbeats: the holds of a node whose lease has ended are released. */
export async function renewLease(ctx: Context): Promise<void> {
  const { db } = ctx.database
  const lease_until = sql<number>`${databaseSeconds(db)} + ${sql.lit(leaseSeconds)}`
  await db
    .insertInto('nodes')
    // Nodes of an older version sweep what belongs to no node they see.
    .values([ctx.nodeId, noNode].map((id) => ({ id, lease_until })))
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ lease_until }))
    .execute()
}

/** What nodes have under way, in queries that join the row of that node. */
type UnderWay = 'holds' | 'long_work' | 'relay_state'

/**
 * Whether the node that has something under way is gone. By the database's clock: those of two machines may differ by more than a
 * lease. A node signs in when it starts, so one without a row has gone or never was.
 */
export const isNodeGone = (db: Db, table: UnderWay): RawBuilder<SqlBool> =>
  sql<SqlBool>`(nodes.lease_until < ${databaseSeconds(db)}
    or (nodes.id is null and ${sql.ref(`${table}.created_at`)} < ${secondsAgo(db, leaseSeconds)}))`

/** A node that stops normally removes its lease. */
export const endLease = (ctx: Context): Promise<unknown> =>
  ctx.database.db.deleteFrom('nodes').where('id', '=', ctx.nodeId).execute()

export const keepLease: Job = { name: 'keep-lease', everyMs: 5000, run: renewLease }
