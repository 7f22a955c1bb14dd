import { noNode } from '#server/billing/ledger/lasting-holds.ts'
import { type Context, epochSeconds } from '#server/context.ts'
import { secondsAgo } from '#server/db/database-clock.ts'
import type { Job } from './job.ts'
import { isNodeGone } from './keep-lease.ts'

const sweepMax = 1000

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
    .where(isNodeGone(db, 'holds'))
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
