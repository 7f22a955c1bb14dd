import { type Context, epochSeconds } from '#server/context.ts'
import type { Job } from './job.ts'

/** Seconds a node counts as alive after its last sign. */
export const leaseSeconds = 20

/** Signs of life: the holds of a node whose lease has ended belong to nobody. */
export async function renewLease(ctx: Context): Promise<void> {
  const row = { id: ctx.nodeId, lease_until: epochSeconds(ctx) + leaseSeconds }
  await ctx.database.db
    .insertInto('nodes')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ lease_until: row.lease_until }))
    .execute()
}

/** A node that stops in good order leaves nothing behind. */
export const endLease = (ctx: Context): Promise<unknown> =>
  ctx.database.db.deleteFrom('nodes').where('id', '=', ctx.nodeId).execute()

export const keepLease: Job = { name: 'keep-lease', everyMs: 5000, run: renewLease }
