import { eraseSoon } from '#server/accounts/erase-rows.ts'
import { leaveTeams } from '#server/accounts/leave-teams.ts'
import type { UserRow } from '#server/accounts/present-user.ts'
import { epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { record } from '#server/history/record.ts'
import type { Actor, UserCall } from '#server/http/call.ts'
import type { usersApi } from '#shared/api/users.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError, invalid } from '#shared/errors.ts'
import { userStatus } from '#shared/statuses.ts'
import { closeAndErase } from './manage.service.ts'
import { requireEditable, requireManageable, type UserAction } from './rights.ts'
import { logUserEvents, profileEvents, standingEvents } from './user-events.ts'
import { findUser, lockUser, updateUser } from './users.store.ts'

/** The users a batch speaks of; one that does not exist, or is not the actor's to change, refuses the whole. */
async function chosen(tx: Tx, ids: readonly number[], require: (user: UserRow) => void): Promise<UserRow[]> {
  const users: UserRow[] = []
  for (const id of ids.toSorted((a, b) => a - b)) {
    const user = await lockUser(tx, { id })
    if (!user) throw invalid('batch.unknown', { id }, 'ids')
    try {
      require(user)
    } catch (error) {
      throw error instanceof AppError ? invalid('batch.not_yours', { name: user.username }, 'ids') : error
    }
    users.push(user)
  }
  return users
}

/** What the change asks for must be allowed on each of them. */
const allowing =
  (actor: Actor, { status, group }: InputOf<typeof usersApi.batch>['change']) =>
  (user: UserRow): void => {
    const action: UserAction = status === userStatus.activated ? 'enable' : 'disable'
    if (status !== undefined) requireManageable(actor, user, action)
    if (group !== undefined) requireEditable(actor, user)
  }

/** Changes several users, all of them or none. Returns how many. */
export async function changeUsers({ ctx, actor, input }: UserCall<InputOf<typeof usersApi.batch>>): Promise<number> {
  const at = epochSeconds(ctx)
  const { status, group } = input.change
  return transact(ctx, async (tx, announce) => {
    const users = await chosen(tx, input.ids, allowing(actor, input.change))
    const things = []
    for (const before of users) {
      await updateUser(tx, before.id, { status: status ?? before.status, group: group ?? before.group })
      const after = await findUser(tx, before.id)
      if (!after) throw invalid('batch.unknown', { id: before.id }, 'ids')
      const events = [...standingEvents(actor, before, after), ...profileEvents(actor, before, after)]
      await logUserEvents(tx, after, events, at)
      things.push({ id: before.id, name: before.username, before, after })
      announce({ topic: 'user', id: before.id })
    }
    await record(ctx, tx, actor, { kind: 'user', things })
    return users.length
  })
}

/** Deletes several accounts, all of them or none. Returns how many. */
export async function removeUsers({
  ctx,
  actor,
  input,
}: UserCall<InputOf<typeof usersApi.removeBatch>>): Promise<number> {
  const at = epochSeconds(ctx)
  const count = await transact(ctx, async (tx, announce) => {
    const users = await chosen(tx, input.ids, (user) => requireManageable(actor, user, 'delete'))
    for (const { id } of users) {
      await leaveTeams(tx, { userId: id, at, announce })
      await closeAndErase({ tx, actor, at }, id)
      announce({ topic: 'user', id })
    }
    const things = users.map(({ id, role, status }) => ({ id, name: '', before: { role, status }, after: null }))
    await record(ctx, tx, actor, { kind: 'user', things, final: 'account' })
    return users.length
  })
  await eraseSoon(ctx)
  return count
}
