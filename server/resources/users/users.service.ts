import { endAddedLogins } from '#server/accounts/end-added-logins.ts'
import { newNameKey } from '#server/accounts/name-key.ts'
import { openAccount } from '#server/accounts/open-account.ts'
import { presentUser, type UserRow } from '#server/accounts/present-user.ts'
import { bookDifference, bookTo } from '#server/billing/ledger/book.ts'
import { changeBudgetPeriod, finishRecount } from '#server/billing/ledger/budgets/recount-budgets.ts'
import { loggedAmount } from '#server/billing/pricing/spell-amount.ts'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { pageFrom } from '#server/db/page.ts'
import { transact } from '#server/db/transact.ts'
import { takenColumn } from '#server/db/unique.ts'
import { record } from '#server/history/record.ts'
import type { Actor, UserCall } from '#server/http/call.ts'
import { requireEntrance, revokeAccess } from '#server/http/session.ts'
import { compact } from '#server/lib/json.ts'
import { hashPassword } from '#server/lib/passwords.ts'
import { timeOrderedId } from '#server/lib/random.ts'
import { mailEndedLogins } from '#server/mail/mail-ended-logins.ts'
import type { User, usersApi } from '#shared/api/users.ts'
import type { BudgetPeriod } from '#shared/budget.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'
import type { LogEvent, LogValue } from '#shared/log-events.ts'
import type { Page } from '#shared/pagination.ts'
import { requireEditable, requireReadable } from './rights.ts'
import { byWhom, logUserEvents, profileEvents } from './user-events.ts'
import {
  countUsers,
  findUser,
  listUsers,
  lockUser,
  type UserChange,
  type UserListing,
  updateUser,
} from './users.store.ts'

export async function userPage(ctx: Context, listing: UserListing): Promise<Page<User>> {
  const { db } = ctx.database
  const rows = await listUsers(db, listing)
  return pageFrom(
    listing,
    rows.map((row) => presentUser(ctx, row)),
    await countUsers(db, listing),
  )
}

export async function getUser({ ctx, actor, input }: UserCall<InputOf<typeof usersApi.get>>): Promise<User> {
  const row = await findUser(ctx.database.db, input.id)
  if (!row) throw new AppError('user.not_found')
  requireReadable(actor, row)
  return presentUser(ctx, row)
}

const nameTaken = (error: unknown): never => {
  throw takenColumn(error) === 'username' ? new AppError('user.name_taken') : error
}

export async function createUser({ ctx, actor, input }: UserCall<InputOf<typeof usersApi.create>>): Promise<void> {
  const { username } = input
  const passwordHash = await hashPassword(input.password)
  const at = epochSeconds(ctx)
  await transact(ctx, async (tx, announce) => {
    const account = { username, passwordHash, displayName: input.display_name || username }
    const userId = await openAccount(tx, account, { options: ctx.options(), secrets: ctx.secrets, at, announce })
    const after = await findUser(tx, userId)
    await record(ctx, tx, actor, {
      kind: 'user',
      things: [{ id: userId, name: username, before: null, after: after ?? null }],
    })
    const event: LogEvent = { code: 'user.created', values: byWhom(actor) }
    await logUserEvents(tx, { id: userId, username }, [event], at)
  }).catch(nameTaken)
}

type Update = InputOf<typeof usersApi.update>

export async function changeUser(call: UserCall<Update>): Promise<void> {
  const { ctx, actor, input } = call
  const passwordHash = input.password ? await hashPassword(input.password) : undefined
  const at = epochSeconds(ctx)
  const ended = await transact(ctx, async (tx, announce) => {
    const user = await lockUser(tx, { id: input.id })
    if (!user) throw new AppError('user.not_found')
    requireEditable(actor, user)
    if (passwordHash) await requireEntrance(tx, call)
    const after = await applyProfile(tx, user, input, passwordHash)
    const events = profileEvents(actor, user, after)
    if (passwordHash) events.push({ code: 'user.new_password', values: byWhom(actor) })
    const isOwn = user.id === actor.id
    if (passwordHash) await revokeAccess(tx, user.id, isOwn ? actor.sessionHash : null)
    const quota = await applyQuota(ctx, tx, input, at)
    if (quota) events.push({ code: 'user.quota', values: { ...byWhom(actor), ...quota } })
    const budget = await applyBudget(ctx, tx, user, input)
    if (budget) events.push({ code: 'user.budget', values: { ...byWhom(actor), ...budget } })
    await recordEdit(ctx, tx, actor, user)
    // After the history, so that no undo links them again.
    const logins = passwordHash && !isOwn ? await endAddedLogins(tx, user.id) : null
    await logUserEvents(tx, after, events, at)
    announce({ topic: 'user', id: user.id })
    return logins
  }).catch(nameTaken)
  if (ended) void mailEndedLogins(ctx, ended)
  if (input.budget_period !== undefined) await finishRecount(ctx, 'user', input.id)
}

/** The profile can be put back, the balance cannot: two entries. */
async function recordEdit(ctx: Context, tx: Tx, actor: Actor, before: UserRow): Promise<void> {
  const after = await findUser(tx, before.id)
  if (!after) return
  const thing = { id: after.id, name: after.username }
  await record(ctx, tx, actor, { kind: 'user', things: [{ ...thing, before, after }] })
  const balance = ({ quota }: UserRow) => ({ quota })
  await record(ctx, tx, actor, {
    kind: 'user',
    things: [{ ...thing, before: balance(before), after: balance(after) }],
    final: 'money',
  })
}

/** Returns the user as he is then. */
async function applyProfile(tx: Tx, user: UserRow, input: Update, passwordHash: string | undefined): Promise<UserRow> {
  const wanted: UserChange = compact({
    username: input.username,
    display_name: input.display_name === '' ? (input.username ?? user.username) : input.display_name,
    group: input.group,
    password_hash: passwordHash,
  })
  if (wanted.username !== undefined && wanted.username !== user.username) wanted.name_key = newNameKey(wanted.username)
  if (Object.keys(wanted).length > 0) await updateUser(tx, user.id, wanted)
  return { ...user, ...compact(wanted) }
}

/** What changed, for the log; null when nothing did. */
interface Changed {
  readonly from: LogValue
  readonly to: LogValue
}

async function applyBudget(ctx: Context, tx: Tx, user: UserRow, input: Update): Promise<Changed | null> {
  const { budget = user.budget, budget_period: period = user.budget_period } = input
  if (budget !== user.budget) await updateUser(tx, user.id, { budget })
  if (period !== user.budget_period) await changeBudgetPeriod(tx, 'user', user.id, period)
  if (budget === user.budget && (budget === 0 || period === user.budget_period)) return null
  const spell = (amount: number, of: BudgetPeriod): LogEvent[] =>
    amount === 0
      ? [{ code: 'part.no_budget', values: {} }]
      : [{ code: `part.budget_${of}`, values: { money: loggedAmount(ctx.options(), amount) } }]
  return { from: spell(user.budget, user.budget_period), to: spell(budget, period) }
}

/** By the difference to what the form had loaded, so that what was spent meanwhile stays spent; else to the value. */
async function applyQuota(ctx: Context, tx: Tx, input: Update, at: number): Promise<Changed | null> {
  const { id: userId, quota, quota_before } = input
  if (quota === undefined || quota === quota_before) return null
  const booking = { userId, kind: 'admin' as const, ref: `admin:${timeOrderedId(ctx.clock())}`, at }
  const { before, after } =
    quota_before === undefined
      ? { before: await bookTo(tx, { ...booking, quota }), after: quota }
      : await bookDifference(tx, { ...booking, amount: quota - quota_before })
  if (before === after) return null
  return { from: loggedAmount(ctx.options(), before), to: loggedAmount(ctx.options(), after) }
}
