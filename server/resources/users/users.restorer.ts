import { closeAccount } from '#server/accounts/close-account.ts'
import { eraseAccount } from '#server/accounts/erase-account.ts'
import { eraseSoon } from '#server/accounts/erase-rows.ts'
import { leaveTeams } from '#server/accounts/leave-teams.ts'
import { putBackPeriod, recountSoon } from '#server/billing/ledger/budgets/recount-budgets.ts'
import { type Context, epochSeconds } from '#server/context.ts'
import type { Fields } from '#server/history/item.ts'
import { type Restorer, readRows, type UndoStep } from '#server/history/restorer.ts'
import { AppError } from '#shared/errors.ts'
import { isAdmin } from '#shared/roles.ts'
import { userStatus } from '#shared/statuses.ts'
import { requireEditable, requireManageable, type UserAction } from './rights.ts'
import { isNameTaken, type UserChange, updateUser } from './users.store.ts'

const ownFields = ['username', 'name_key', 'display_name']

/** What one would have to do by hand: manage the account for its role and status, edit it for the rest. */
function actionsOf({ from, to }: UndoStep): UserAction[] {
  if (to === null) return ['delete']
  const role = to.role === undefined || to.role === from?.role ? [] : [isAdmin(Number(to.role)) ? 'promote' : 'demote']
  const status =
    to.status === undefined || to.status === from?.status
      ? []
      : [to.status === userStatus.activated ? 'enable' : 'disable']
  return [...role, ...status] as UserAction[]
}

/** Deleting the account would take its money with it; what it was opened with is no such money. */
const hasHadMoney = (
  { ledger }: Context,
  { left }: UndoStep,
  { id, quota, used_quota, request_count }: Fields,
): boolean =>
  quota !== left?.quota ||
  used_quota !== 0 ||
  request_count !== 0 ||
  ledger.heldInMemoryOf('user', Number(id)).count > 0

export const userRestorer: Restorer = {
  read: (db, targets, lock) => readRows(db, 'users', targets, lock),
  async allow(ctx, actor, step, db) {
    const { from, to } = step
    if (!from) throw new AppError('history.final_account')
    if (to === null && hasHadMoney(ctx, step, from)) throw new AppError('history.money_since')
    const target = { id: Number(from.id), role: Number(from.role) }
    for (const action of actionsOf(step)) requireManageable(actor, target, action)
    const edited = Object.keys(to ?? {}).filter((name) => name !== 'role' && name !== 'status')
    const isOwn = target.id === actor.id && edited.every((name) => ownFields.includes(name))
    if (edited.length > 0 && !isOwn) requireEditable(actor, target)
    if (typeof to?.username !== 'string') return
    const name = { username: to.username, name_key: String(to.name_key ?? '') }
    if (await isNameTaken(db, target.id, name)) throw new AppError('history.taken', { thing: `user ${to.username}` })
  },
  async change({ tx, announce }, target, fields) {
    const id = Number(target)
    const { quota: _, used_quota: __, request_count: ___, budget_period, ...rest } = fields
    if (Object.keys(rest).length > 0) await updateUser(tx, id, rest as UserChange)
    await putBackPeriod(tx, 'user', id, budget_period)
    announce({ topic: 'user', id })
  },
  async insert() {
    throw new AppError('history.final_account')
  },
  async remove({ ctx, tx, announce }, target) {
    const id = Number(target)
    await leaveTeams(tx, { userId: id, at: epochSeconds(ctx), announce })
    await closeAccount(tx, { userId: id, at: epochSeconds(ctx) })
    await eraseAccount(tx, id)
    announce({ topic: 'user', id })
  },
  async finish(ctx) {
    await recountSoon(ctx)
    await eraseSoon(ctx)
  },
}
