import type { z } from 'zod'
import { bookTokenTo } from '#server/billing/ledger/book.ts'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { pageFrom } from '#server/db/page.ts'
import { transact } from '#server/db/transact.ts'
import { record } from '#server/history/record.ts'
import type { Actor } from '#server/http/call.ts'
import { compact } from '#server/lib/json.ts'
import { randomText, timeOrderedId } from '#server/lib/random.ts'
import { type Token, type TokenDraft, type tokensApi, tokensPerUserMax } from '#shared/api/tokens.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError, invalid } from '#shared/errors.ts'
import type { Page } from '#shared/pagination.ts'
import { isAdmin } from '#shared/roles.ts'
import { tokenStatus } from '#shared/statuses.ts'
import {
  countTokens,
  deleteToken,
  findToken,
  insertToken,
  listTokens,
  type TokenListing,
  type TokenRow,
  updateToken,
} from './tokens.store.ts'

const keyLength = 48

type Draft = z.output<typeof TokenDraft>
type Change = InputOf<typeof tokensApi.update>

const present = ({ secrets }: Pick<Context, 'secrets'>, row: TokenRow): Token => {
  const { key_sealed, key_hash: _, unlimited_quota, ...rest } = row
  return { ...rest, key: secrets.open(key_sealed), unlimited_quota: unlimited_quota === 1 }
}

export async function tokenPage(ctx: Context, listing: TokenListing): Promise<Page<Token>> {
  const { db } = ctx.database
  const rows = await listTokens(db, listing)
  return pageFrom(
    listing,
    rows.map((row) => present(ctx, row)),
    await countTokens(db, listing),
  )
}

async function ownToken(db: Parameters<typeof findToken>[0], userId: number, id: number): Promise<TokenRow> {
  const row = await findToken(db, userId, id)
  if (!row) throw new AppError('token.not_found')
  return row
}

export const getToken = async (ctx: Context, userId: number, id: number): Promise<Token> =>
  present(ctx, await ownToken(ctx.database.db, userId, id))

/** Everybody's own tokens are their own affair; those of people with rights can spend what is not theirs. */
async function remember(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  before: TokenRow | null,
  after: TokenRow | null,
): Promise<void> {
  const row = after ?? before
  if (!row || !isAdmin(actor.role)) return
  await record(ctx, tx, actor, 'token', [{ id: row.id, name: row.name, before, after }])
  if (!before || !after || before.remain_quota === after.remain_quota) return
  const left = ({ remain_quota }: TokenRow) => ({ remain_quota })
  const spendable = { id: row.id, name: row.name, before: left(before), after: left(after) }
  await record(ctx, tx, actor, 'token', [spendable], 'money')
}

export async function createToken(ctx: Context, actor: Actor, draft: Draft): Promise<Token> {
  const userId = actor.id
  const { remain_quota: quota, unlimited_quota, ...rest } = draft
  const key = randomText(keyLength)
  const at = epochSeconds(ctx)
  return transact(ctx, async (tx) => {
    if ((await countTokens(tx, { userId, keyword: '' })) >= tokensPerUserMax) {
      throw new AppError('token.too_many', { limit: tokensPerUserMax })
    }
    const tokenId = await insertToken(tx, {
      ...rest,
      user_id: userId,
      key_hash: ctx.secrets.hash(key),
      key_sealed: ctx.secrets.seal(key),
      status: tokenStatus.enabled,
      created_time: at,
      accessed_time: at,
      unlimited_quota: Number(unlimited_quota),
    })
    await bookTokenTo(tx, { tokenId, userId, quota, ref: `token:${tokenId}:opening`, at })
    const row = await ownToken(tx, userId, tokenId)
    await remember(ctx, tx, actor, null, row)
    return present(ctx, row)
  })
}

/** With `status_only`, or when it comes alone, the status is set; otherwise the fields are, and the status stays. */
export async function changeToken(ctx: Context, actor: Actor, change: Change): Promise<Token> {
  const userId = actor.id
  const { id, status, status_only, ...fields } = change
  const statusOnly = status_only ?? Object.keys(fields).length === 0
  return transact(ctx, async (tx, announce) => {
    const row = await ownToken(tx, userId, id)
    if (statusOnly) await changeStatus(ctx, tx, row, status)
    else await changeFields(ctx, tx, row, fields)
    announce({ topic: 'token', id })
    const after = await ownToken(tx, userId, id)
    await remember(ctx, tx, actor, row, after)
    return present(ctx, after)
  })
}

async function changeStatus(ctx: Context, tx: Tx, row: TokenRow, status: number | undefined): Promise<void> {
  if (status === undefined) throw invalid('status.required')
  if (status === row.status) return
  if (status === tokenStatus.enabled) {
    if (row.expired_time !== -1 && row.expired_time <= epochSeconds(ctx)) throw new AppError('token.expired')
    if (row.unlimited_quota === 0 && row.remain_quota <= 0) throw new AppError('token.exhausted')
  } else if (status !== tokenStatus.disabled) {
    throw invalid('status.one_or_two')
  }
  await updateToken(tx, row.user_id, row.id, { status })
}

type Fields = Omit<Change, 'id' | 'status' | 'status_only'>

async function changeFields(ctx: Context, tx: Tx, row: TokenRow, fields: Fields): Promise<void> {
  const { remain_quota: quota, unlimited_quota, ...plain } = fields
  const unlimited = unlimited_quota === undefined ? undefined : Number(unlimited_quota)
  await updateToken(tx, row.user_id, row.id, compact({ ...plain, unlimited_quota: unlimited }))
  if (quota === undefined) return
  const ref = `token:${row.id}:${timeOrderedId(ctx.clock())}`
  await bookTokenTo(tx, { tokenId: row.id, userId: row.user_id, quota, ref, at: epochSeconds(ctx) })
}

export async function removeToken(ctx: Context, actor: Actor, id: number): Promise<void> {
  await transact(ctx, async (tx, announce) => {
    const removed = await deleteToken(tx, actor.id, id)
    if (!removed) throw new AppError('token.not_found')
    await remember(ctx, tx, actor, removed, null)
    announce({ topic: 'token', id })
  })
}
