import { lockUsers } from '#server/accounts/lock-users.ts'
import type { Context } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Actor } from '#server/http/call.ts'
import type { tokensApi } from '#shared/api/tokens.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError, invalid } from '#shared/errors.ts'
import { reachToken } from './token-reach.ts'
import { changeFields, changeStatus, recordTokenChanges } from './tokens.service.ts'
import { deleteToken, type TokenRow } from './tokens.store.ts'

/** The tokens a batch speaks of, which nobody else changes before the transaction ends. */
async function chosen(tx: Tx, actor: Actor, ids: readonly number[]): Promise<TokenRow[]> {
  const owners = (await reachAll(tx, actor, ids)).map(({ user_id }) => user_id)
  await lockUsers(tx, owners)
  return reachAll(tx, actor, ids)
}

/** One that is not the actor's to change refuses the whole. */
async function reachAll(tx: Tx, actor: Actor, ids: readonly number[]): Promise<TokenRow[]> {
  const rows: TokenRow[] = []
  for (const id of ids.toSorted((a, b) => a - b)) {
    rows.push(
      await reachToken(tx, actor, id).catch((error) => {
        throw error instanceof AppError ? invalid('batch.unknown', { id }, 'ids') : error
      }),
    )
  }
  return rows
}

/** What keeps one token from being enabled keeps all of them, and is named. */
async function enableOrDisable(ctx: Context, tx: Tx, row: TokenRow, status: number): Promise<void> {
  try {
    await changeStatus(ctx, tx, row, status)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'token.expired') throw invalid('batch.token_expired', { name: row.name }, 'ids')
    if (error.code === 'token.exhausted') throw invalid('batch.token_exhausted', { name: row.name }, 'ids')
    throw error
  }
}

/** Changes several tokens, all of them or none. Returns how many. */
export async function changeTokens(
  ctx: Context,
  actor: Actor,
  { ids, change }: InputOf<typeof tokensApi.batch>,
): Promise<number> {
  const { status, ...fields } = change
  return transact(ctx, async (tx, announce) => {
    const rows = await chosen(tx, actor, ids)
    const changes: { before: TokenRow; after: TokenRow }[] = []
    for (const before of rows) {
      await changeFields(ctx, tx, before, fields)
      if (status !== undefined) await enableOrDisable(ctx, tx, await reachToken(tx, actor, before.id), status)
      changes.push({ before, after: await reachToken(tx, actor, before.id) })
      announce({ topic: 'token', id: before.id })
    }
    await recordTokenChanges(ctx, tx, actor, changes)
    return rows.length
  })
}

/** Deletes several tokens, all of them or none. Returns how many. */
export async function removeTokens(ctx: Context, actor: Actor, ids: readonly number[]): Promise<number> {
  return transact(ctx, async (tx, announce) => {
    const removed: { before: TokenRow; after: null }[] = []
    for (const { id } of await chosen(tx, actor, ids)) {
      const before = await deleteToken(tx, id)
      if (!before) throw invalid('batch.unknown', { id }, 'ids')
      announce({ topic: 'token', id })
      removed.push({ before, after: null })
    }
    await recordTokenChanges(ctx, tx, actor, removed)
    return removed.length
  })
}
