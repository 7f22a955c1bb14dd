import { lockUsers } from '#server/accounts/lock-users.ts'
import { putBackPeriod, recountSoon } from '#server/billing/ledger/budgets/recount-budgets.ts'
import { type Restorer, readRows } from '#server/history/restorer.ts'
import { AppError } from '#shared/errors.ts'
import { manages } from '#shared/teams.ts'
import { deleteTeam, deleteTeamTokens, memberOf, membersOf, openTeamHolds, updateTeam } from './teams.store.ts'

/** Name and budget are put back by who manages the team; a team is taken back while nothing was spent or put in. */
export const teamRestorer: Restorer = {
  async read(db, targets, lock) {
    if (lock) await lockUsers(db, await membersOf(db, targets.map(Number)))
    return readRows(db, 'teams', targets, lock)
  },
  async allow(ctx, actor, { target, from, to }, db) {
    const id = Number(target)
    if (from === null) throw new AppError('history.final')
    if (to !== null) {
      const member = await memberOf(db, id, actor.id)
      if (!member || !manages(member.role)) throw new AppError('auth.forbidden')
      return
    }
    const isUnused = from.quota === 0 && from.used_quota === 0 && from.request_count === 0
    if (!isUnused || ctx.ledger.heldInMemoryOf('team', id).count > 0) throw new AppError('history.money_since')
  },
  async change({ tx, announce }, target, { name, budget, budget_period }) {
    const id = Number(target)
    await updateTeam(tx, id, {
      ...(name === undefined ? {} : { name: String(name) }),
      ...(budget === undefined ? {} : { budget: Number(budget) }),
    })
    await putBackPeriod(tx, 'team', id, budget_period)
    announce({ topic: 'team', id })
  },
  async insert() {
    throw new AppError('history.final')
  },
  async remove({ tx, announce }, target) {
    const id = Number(target)
    if ((await openTeamHolds(tx, id)) > 0) throw new AppError('team.running')
    for (const token of await deleteTeamTokens(tx, id)) announce({ topic: 'token', id: token })
    await deleteTeam(tx, id)
    announce({ topic: 'team', id })
  },
  finish: recountSoon,
}
