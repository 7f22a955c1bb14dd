import { type Drift, reconcile } from '#server/billing/ledger/reconcile.ts'
import type { Context } from '#server/context.ts'
import type { Job } from './job.ts'

let lastDrift: number | null = null

/** Balances that did not add up at the last proof; null before the first. For the metrics. */
export const driftSeen = (): number | null => lastDrift

/** Proves all balances and logs an error when one does not add up. */
export async function proveBalances(ctx: Context): Promise<readonly Drift[]> {
  const drifts = await reconcile(ctx.database.db)
  lastDrift = drifts.length
  for (const drift of drifts.slice(0, 20)) ctx.log.error('a balance does not add up', { ...drift })
  return drifts
}

export const proveBalancesJob: Job = {
  name: 'prove-balances',
  everyMs: 3_600_000,
  leader: true,
  async run(ctx) {
    await proveBalances(ctx)
  },
}
