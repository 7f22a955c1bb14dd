import { codeOf, keptCode } from '#server/accounts/redemption-code.ts'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { pageFrom } from '#server/db/page.ts'
import { transact } from '#server/db/transact.ts'
import { changedFields } from '#server/history/changed-fields.ts'
import { logAction } from '#server/history/log-action.ts'
import { record } from '#server/history/record.ts'
import type { Actor } from '#server/http/call.ts'
import { compact } from '#server/lib/json.ts'
import { randomHex } from '#server/lib/random.ts'
import type { Redemption, redemptionsApi } from '#shared/api/redemptions.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError, invalid } from '#shared/errors.ts'
import { requireFuture } from '#shared/expiry.ts'
import type { Page, PageInput } from '#shared/pagination.ts'
import { redemptionStatus } from '#shared/statuses.ts'
import {
  countRedemptions,
  deleteRedemption,
  findRedemption,
  insertRedemptions,
  listRedemptions,
  lockRedemption,
  namesOf,
  type RedemptionRow,
  updateUnused,
} from './redemptions.store.ts'

const keyLength = 32

/** Codes as they are shown: in clear, and with who used them. */
async function shownAll(ctx: Context, db: Db | Tx, rows: readonly RedemptionRow[]): Promise<Redemption[]> {
  const names = await namesOf(db, [...new Set(rows.map(({ redeemed_by }) => redeemed_by))])
  return rows.map((row) => ({
    ...row,
    key: codeOf(ctx.secrets, row),
    redeemed_by_name: names.get(row.redeemed_by) ?? '',
  }))
}

async function shown(ctx: Context, db: Db | Tx, row: RedemptionRow): Promise<Redemption> {
  const [one] = await shownAll(ctx, db, [row])
  if (!one) throw new Error('a code was not presented')
  return one
}

export async function redemptionPage(
  ctx: Context,
  listing: PageInput & { keyword: string },
): Promise<Page<Redemption>> {
  const { db } = ctx.database
  const list = await shownAll(ctx, db, await listRedemptions(db, listing))
  return pageFrom(listing, list, await countRedemptions(db, listing.keyword))
}

export async function getRedemption(ctx: Context, id: number): Promise<Redemption> {
  const row = await findRedemption(ctx.database.db, id)
  if (!row) throw new AppError('redemption.not_found')
  return shown(ctx, ctx.database.db, row)
}

/** Makes all the codes or none. */
export async function createRedemptions(
  ctx: Context,
  actor: Actor,
  { name, quota, count, expired_time }: InputOf<typeof redemptionsApi.create>,
): Promise<string[]> {
  const keys = Array.from({ length: count }, () => randomHex(keyLength))
  requireFuture(expired_time, epochSeconds(ctx))
  const made = { user_id: actor.id, status: redemptionStatus.unused, created_time: epochSeconds(ctx) }
  const facts = { name, quota, expired_time, ...made }
  await transact(ctx, async (tx) => {
    const rows = await insertRedemptions(
      tx,
      keys.map((key) => ({ ...facts, ...keptCode(ctx.secrets, key), redeemed_time: 0, redeemed_by: 0 })),
    )
    await record(ctx, tx, actor, {
      kind: 'redemption',
      things: rows.map((after) => ({ id: after.id, name, before: null, after })),
    })
    await logAction(ctx, tx, actor, { code: 'codes.created', values: { count, name, quota } })
  })
  return keys
}

/** With `status_only`, or when it comes alone, the status is set; otherwise name and quota are. Used codes stay as they are. */
export async function changeRedemption(
  ctx: Context,
  actor: Actor,
  { id, status, status_only, ...fields }: InputOf<typeof redemptionsApi.update>,
): Promise<Redemption> {
  const statusOnly = status_only ?? Object.keys(fields).length === 0
  if (statusOnly && status === undefined) throw invalid('status.required')
  return transact(ctx, async (tx) => {
    const before = await lockRedemption(tx, id)
    if (!before) throw new AppError('redemption.not_found')
    if (before.status === redemptionStatus.used) throw new AppError('redemption.used')
    if (statusOnly && status === redemptionStatus.used) {
      throw invalid('status.one_or_two')
    }
    if (!statusOnly && fields.expired_time !== before.expired_time)
      requireFuture(fields.expired_time, epochSeconds(ctx))
    const after = await updateUnused(tx, id, compact(statusOnly ? { status } : fields))
    if (!after) throw new AppError('redemption.used')
    const changes = changedFields(before, after, ['name', 'quota', 'status', 'expired_time'])
    await record(ctx, tx, actor, { kind: 'redemption', things: [{ id, name: after.name, before, after }] })
    if (changes.length > 0) await logAction(ctx, tx, actor, { code: 'code.changed', values: { id, changes } })
    return shown(ctx, tx, after)
  })
}

export async function removeRedemption(ctx: Context, actor: Actor, id: number): Promise<void> {
  await transact(ctx, async (tx) => {
    const removed = await deleteRedemption(tx, id)
    if (!removed) throw new AppError('redemption.not_found')
    await record(ctx, tx, actor, {
      kind: 'redemption',
      things: [{ id, name: removed.name, before: removed, after: null }],
    })
    const { name, quota } = removed
    await logAction(ctx, tx, actor, { code: 'code.deleted', values: { id, name, quota } })
  })
}
