import type { z } from 'zod'
import { lockMaker } from '#server/accounts/lock-users.ts'
import { bookTokenTo } from '#server/billing/ledger/book.ts'
import { changeBudgetPeriod, finishRecount } from '#server/billing/ledger/budgets/recount-budgets.ts'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { pageFrom } from '#server/db/page.ts'
import { transact } from '#server/db/transact.ts'
import { record } from '#server/history/record.ts'
import type { Actor } from '#server/http/call.ts'
import { compact } from '#server/lib/json.ts'
import { timeOrderedId } from '#server/lib/random.ts'
import { type Token, type TokenDraft, type tokensApi, tokensPerUserMax } from '#shared/api/tokens.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError, invalid } from '#shared/errors.ts'
import { requireFuture } from '#shared/expiry.ts'
import type { Page } from '#shared/pagination.ts'
import { isAdmin } from '#shared/roles.ts'
import { tokenStatus } from '#shared/statuses.ts'
import { manages } from '#shared/teams.ts'
import { presentToken, presentTokenInUse } from './present-token.ts'
import { newKey } from './rotate.service.ts'
import { reachForChange, reachToken, requireMember, requireOwnGroup } from './token-reach.ts'
import {
  countTokenRows,
  deleteToken,
  insertToken,
  listTokens,
  membership,
  sealedKeys,
  type TokenListing,
  type TokenRow,
  updateToken,
} from './tokens.store.ts'

type Draft = z.output<typeof TokenDraft>
type Change = InputOf<typeof tokensApi.update>

type Listing = Omit<TokenListing, 'userId' | 'teamId' | 'keyHash' | 'ids'> & { readonly team_id?: number | undefined }

const lastFour = /^[A-Za-z0-9]{4}$/

/** Own tokens by the last four of their key, as the console shows it. Keys are sealed, so all of them are opened. */
async function endingIn({ database, secrets }: Context, userId: number, keyword: string): Promise<number[]> {
  if (!lastFour.test(keyword)) return []
  const own = await sealedKeys(database.db, { userId })
  return own.filter(({ key_sealed }) => secrets.open(key_sealed).endsWith(keyword)).map(({ id }) => id)
}

/** The own tokens; of a team all of them for those who manage it. */
export async function tokenPage(
  ctx: Context,
  actor: Actor,
  { team_id: teamId, ...page }: Listing,
): Promise<Page<Token>> {
  const { db } = ctx.database
  const role = teamId ? await membership(db, teamId, actor.id) : undefined
  if (teamId && !role) throw new AppError('team.not_found')
  const { keyword } = page
  const listing = {
    ...page,
    teamId,
    userId: role && manages(role) ? undefined : actor.id,
    keyHash: keyword === '' ? '' : ctx.secrets.hash(keyword.replace(/^sk-/, '')),
    ids: await endingIn(ctx, actor.id, keyword),
  }
  const rows = await listTokens(db, listing)
  const total = await countTokenRows(db, listing)
  return pageFrom(
    listing,
    rows.map((row) => presentToken(ctx, actor, row)),
    total,
  )
}

export const getToken = async (ctx: Context, actor: Actor, id: number): Promise<Token> =>
  presentTokenInUse(ctx, actor, await reachToken(ctx.database.db, actor, id))

interface TokenChanged {
  readonly before: TokenRow | null
  readonly after: TokenRow | null
}

/** Records what administrators and managers change; changes of one's own tokens are not part of the history. */
export async function recordTokenChanges(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  changes: readonly TokenChanged[],
): Promise<void> {
  const things = changes.flatMap(({ before, after }) => {
    const row = after ?? before
    if (!row || (!isAdmin(actor.role) && row.user_id === actor.id)) return []
    return [{ id: row.id, name: row.name, before, after }]
  })
  if (things.length === 0) return
  await record(ctx, tx, actor, { kind: 'token', things })
  const left = ({ remain_quota }: TokenRow) => ({ remain_quota })
  const spendable = things.flatMap(({ before, after, ...thing }) =>
    before && after && before.remain_quota !== after.remain_quota
      ? [{ ...thing, before: left(before), after: left(after) }]
      : [],
  )
  await record(ctx, tx, actor, { kind: 'token', things: spendable, final: 'money' })
}

export async function createToken(ctx: Context, actor: Actor, draft: Draft): Promise<Token> {
  const userId = actor.id
  const { remain_quota: quota, unlimited_quota, ...rest } = draft
  const at = epochSeconds(ctx)
  requireFuture(draft.expired_time, at)
  const created = await transact(ctx, async (tx) => {
    await lockMaker(tx, userId)
    await requireMember(tx, draft.team_id, userId)
    await requireOwnGroup(tx, draft.group, userId)
    if ((await countTokenRows(tx, { userId, keyword: '' })) >= tokensPerUserMax) {
      throw new AppError('token.too_many', { limit: tokensPerUserMax })
    }
    const tokenId = await insertToken(tx, {
      ...rest,
      user_id: userId,
      ...newKey(ctx),
      status: tokenStatus.enabled,
      created_time: at,
      accessed_time: at,
      unlimited_quota: Number(unlimited_quota),
    })
    await bookTokenTo(tx, { tokenId, userId, quota, ref: `token:${tokenId}:opening`, at })
    const row = await reachToken(tx, actor, tokenId)
    await recordTokenChanges(ctx, tx, actor, [{ before: null, after: row }])
    return row
  })
  return presentTokenInUse(ctx, actor, created)
}

type Fields = Omit<Change, 'id' | 'status' | 'status_only'>

/** Whose wallet a token spends is its owner's to say: a manager would make a member, or another team, pay. */
const movesForAnother = (actor: Actor, { user_id, team_id }: TokenRow, fields: Fields): boolean =>
  user_id !== actor.id && fields.team_id !== undefined && fields.team_id !== team_id

/** With `status_only`, or when it comes alone, the status is set; otherwise the fields are, and the status stays. */
export async function changeToken(ctx: Context, actor: Actor, change: Change): Promise<Token> {
  const { id, status, status_only, ...fields } = change
  const statusOnly = status_only ?? Object.keys(fields).length === 0
  const { after, hasNewPeriod } = await transact(ctx, async (tx, announce) => {
    const row = await reachForChange(tx, actor, id)
    if (movesForAnother(actor, row, fields)) throw new AppError('auth.forbidden')
    if (statusOnly) await changeStatus(ctx, tx, row, status)
    else await changeFields(ctx, tx, row, fields)
    announce({ topic: 'token', id })
    const after = await reachToken(tx, actor, id)
    await recordTokenChanges(ctx, tx, actor, [{ before: row, after }])
    return { after, hasNewPeriod: after.budget_period !== row.budget_period }
  })
  if (!hasNewPeriod) return presentTokenInUse(ctx, actor, after)
  await finishRecount(ctx, 'token', id)
  return getToken(ctx, actor, id)
}

export async function changeStatus(ctx: Context, tx: Tx, row: TokenRow, status: number | undefined): Promise<void> {
  if (status === undefined) throw invalid('status.required')
  if (status === row.status) return
  if (status === tokenStatus.enabled) {
    if (row.expired_time !== -1 && row.expired_time <= epochSeconds(ctx)) throw new AppError('token.expired')
    if (row.unlimited_quota === 0 && row.remain_quota <= 0) throw new AppError('token.exhausted')
  } else if (status !== tokenStatus.disabled) {
    throw invalid('status.one_or_two')
  }
  await updateToken(tx, row.id, { status })
}

export async function changeFields(ctx: Context, tx: Tx, row: TokenRow, fields: Fields): Promise<void> {
  const { remain_quota: quota, unlimited_quota, budget_period: period, ...plain } = fields
  if (plain.team_id !== undefined && plain.team_id !== row.team_id) await requireMember(tx, plain.team_id, row.user_id)
  if (plain.group !== undefined && plain.group !== row.group) await requireOwnGroup(tx, plain.group, row.user_id)
  if (plain.expired_time !== row.expired_time) requireFuture(plain.expired_time, epochSeconds(ctx))
  const unlimited = unlimited_quota === undefined ? undefined : Number(unlimited_quota)
  await updateToken(tx, row.id, compact({ ...plain, unlimited_quota: unlimited }))
  if (period !== undefined && period !== row.budget_period) {
    await changeBudgetPeriod(tx, 'token', row.id, period)
  }
  if (quota === undefined) return
  const ref = `token:${row.id}:${timeOrderedId(ctx.clock())}`
  await bookTokenTo(tx, { tokenId: row.id, userId: row.user_id, quota, ref, at: epochSeconds(ctx) })
}

export async function removeToken(ctx: Context, actor: Actor, id: number): Promise<void> {
  await transact(ctx, async (tx, announce) => {
    await reachToken(tx, actor, id)
    const removed = await deleteToken(tx, id)
    if (!removed) throw new AppError('token.not_found')
    await recordTokenChanges(ctx, tx, actor, [{ before: removed, after: null }])
    announce({ topic: 'token', id })
  })
}
