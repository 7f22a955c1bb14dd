import { reopenToken } from '#server/billing/ledger/book.ts'
import { putBackPeriod, recountSoon } from '#server/billing/ledger/budgets/recount-budgets.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { type Restorer, readRows, rowFor, type UndoAuthor, type UndoStep } from '#server/history/restorer.ts'
import { AppError } from '#shared/errors.ts'
import { manages } from '#shared/teams.ts'
import { deleteToken, insertToken, mayHold, membership, ownerExists, updateToken } from './tokens.store.ts'

/** Managers edit the tokens of their team, all but the keys and the wallet. */
async function mayEdit(db: Db | Tx, actor: UndoAuthor, { from, to }: Pick<UndoStep, 'from' | 'to'>): Promise<boolean> {
  if (!from || !to || Object.keys(to).some((name) => name === 'team_id' || name.includes('key'))) return false
  const role = await membership(db, Number(from.team_id), actor.id)
  return role !== undefined && manages(role)
}

/** A token is its owner's. What is left on it is the ledger's to say. */
export const tokenRestorer: Restorer = {
  read: (db, targets, lock) => readRows(db, 'tokens', targets, lock),
  async allow(_ctx, actor, { from, to }, db) {
    const owner = Number(from?.user_id ?? to?.user_id)
    if (!(await ownerExists(db, owner))) throw new AppError('history.owner_gone')
    if (owner !== actor.id && !(await mayEdit(db, actor, { from, to }))) throw new AppError('history.not_yours')
    if (!(await mayHold(db, owner, Number(to?.team_id ?? 0)))) throw new AppError('team.not_member')
  },
  async change({ tx, announce }, target, fields) {
    const id = Number(target)
    const { remain_quota: _, used_quota: __, budget_period, ...rest } = fields
    await updateToken(tx, id, rest)
    await putBackPeriod(tx, 'token', id, budget_period)
    announce({ topic: 'token', id })
  },
  async insert({ tx, announce }, target, fields) {
    const id = Number(target)
    await insertToken(tx, { ...rowFor<'tokens'>(target, fields), remain_quota: 0 })
    await reopenToken(tx, id)
    await putBackPeriod(tx, 'token', id, fields.budget_period)
    announce({ topic: 'token', id })
  },
  async remove({ tx, announce }, target) {
    const id = Number(target)
    await deleteToken(tx, id)
    announce({ topic: 'token', id })
  },
  finish: recountSoon,
}
