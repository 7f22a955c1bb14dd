import { sql } from 'kysely'
import { noNode } from '#server/billing/ledger/lasting-holds.ts'
import { type Context, epochSeconds } from '#server/context.ts'
import type { Db } from '#server/db/database.ts'
import { databaseSeconds } from '#server/db/database-clock.ts'
import type { Job } from './job.ts'
import { leaseSeconds } from './keep-lease.ts'

const sweepMax = 1000

/** Leases are written and read by the database's clock: those of two machines may differ by more than a lease. */
const secondsAgo = (db: Db, seconds: number) => sql<number>`${databaseSeconds(db)} - ${sql.lit(seconds)}`

/** Releases the holds of nodes that are gone; returns how many there were. */
export async function sweepHolds(ctx: Context): Promise<number> {
  let count = 0
  for (;;) {
    const swept = await sweepSome(ctx)
    count += swept
    if (swept < sweepMax) break
  }
  if (count > 0) ctx.log.warn('holds of a node that is gone were returned', { count })
  const { db } = ctx.database
  await db.deleteFrom('nodes').where('lease_until', '<', secondsAgo(db, 3600)).execute()
  return count
}

async function sweepSome(ctx: Context): Promise<number> {
  const { db } = ctx.database
  const orphans = await db
    .selectFrom('holds')
    .leftJoin('nodes', 'nodes.id', 'holds.node_id')
    .select([
      'holds.id',
      'holds.user_id as userId',
      'holds.token_id as tokenId',
      'holds.team_id as teamId',
      'holds.member_id as memberId',
      'holds.created_at as admittedAt',
    ])
    .where('holds.node_id', 'not in', [ctx.nodeId, noNode])
    .where((where) =>
      where.or([
        where('nodes.lease_until', '<', secondsAgo(db, 0)),
        // A node signs in when it starts, so one without a row has gone or never was.
        where.and([where('nodes.id', 'is', null), where('holds.created_at', '<', secondsAgo(db, leaseSeconds))]),
      ]),
    )
    .limit(sweepMax)
    .execute()
  const at = epochSeconds(ctx)
  await Promise.all(
    orphans.map((orphan) =>
      ctx.ledger.settle({ ...orphan, charge: 0, channelId: 0, counts: false, log: null, at, corrections: [] }),
    ),
  )
  return orphans.length
}

export const sweepHoldsJob: Job = {
  name: 'sweep-holds',
  everyMs: 5000,
  async run(ctx) {
    await sweepHolds(ctx)
  },
}
