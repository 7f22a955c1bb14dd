import { type Context, epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { changedFields } from '#server/history/changed-fields.ts'
import { logAction } from '#server/history/log-action.ts'
import { record } from '#server/history/record.ts'
import type { Actor } from '#server/http/call.ts'
import { compact } from '#server/lib/json.ts'
import type { redemptionsApi } from '#shared/api/redemptions.ts'
import type { InputOf } from '#shared/contract.ts'
import { invalid } from '#shared/errors.ts'
import { requireFuture } from '#shared/expiry.ts'
import { deleteRedemption, lockRedemption, type RedemptionRow, updateUnused } from './redemptions.store.ts'

/** The codes a batch speaks of; one that does not exist refuses the whole. */
async function chosen(tx: Tx, ids: readonly number[]): Promise<RedemptionRow[]> {
  const rows: RedemptionRow[] = []
  for (const id of ids.toSorted((a, b) => a - b)) {
    const row = await lockRedemption(tx, id)
    if (!row) throw invalid('batch.unknown', { id }, 'ids')
    rows.push(row)
  }
  return rows
}

/** Changes several codes, all of them or none: one that is used refuses the whole. Returns how many. */
export async function changeRedemptions(
  ctx: Context,
  actor: Actor,
  { ids, change }: InputOf<typeof redemptionsApi.batch>,
): Promise<number> {
  requireFuture(change.expired_time, epochSeconds(ctx))
  return transact(ctx, async (tx) => {
    const rows = await chosen(tx, ids)
    const things = []
    for (const before of rows) {
      const after = await updateUnused(tx, before.id, compact(change))
      if (!after) throw invalid('batch.code_used', { id: before.id, name: before.name }, 'ids')
      const changes = changedFields(before, after, ['status', 'expired_time'])
      const values = { id: before.id, changes }
      if (changes.length > 0) await logAction(ctx, tx, actor, { code: 'code.changed', values })
      things.push({ id: before.id, name: before.name, before, after })
    }
    await record(ctx, tx, actor, { kind: 'redemption', things })
    return rows.length
  })
}

/** Deletes several codes, all of them or none. Returns how many. */
export async function removeRedemptions(ctx: Context, actor: Actor, ids: readonly number[]): Promise<number> {
  return transact(ctx, async (tx) => {
    const rows = await chosen(tx, ids)
    for (const { id, name, quota } of rows) {
      if (!(await deleteRedemption(tx, id))) throw invalid('batch.unknown', { id }, 'ids')
      await logAction(ctx, tx, actor, { code: 'code.deleted', values: { id, name, quota } })
    }
    const things = rows.map((before) => ({ id: before.id, name: before.name, before, after: null }))
    await record(ctx, tx, actor, { kind: 'redemption', things })
    return rows.length
  })
}
