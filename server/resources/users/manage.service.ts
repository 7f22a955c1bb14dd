import { closeAccount } from '#server/accounts/close-account.ts'
import { eraseAccount } from '#server/accounts/erase-account.ts'
import { leaveTeams } from '#server/accounts/leave-teams.ts'
import type { UserRow } from '#server/accounts/present-user.ts'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { writeLog } from '#server/db/logs/log-rows.ts'
import { transact } from '#server/db/transact.ts'
import { record } from '#server/history/record.ts'
import type { Actor, UserCall } from '#server/http/call.ts'
import { clearFactors } from '#server/http/second-factors.ts'
import { secretShown } from '#shared/api/history.ts'
import type { usersApi } from '#shared/api/users.ts'
import type { InputOf, OutputOf } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'
import { roles } from '#shared/roles.ts'
import { logType, userStatus } from '#shared/statuses.ts'
import { requireManageable, type UserAction } from './rights.ts'
import { lockUser, updateUser } from './users.store.ts'

type Standing = Pick<UserRow, 'role' | 'status'>

const effects: Record<Exclude<UserAction, 'delete' | 'clear_second_factor'>, Partial<Standing>> = {
  promote: { role: roles.admin },
  demote: { role: roles.user },
  enable: { status: userStatus.activated },
  disable: { status: userStatus.banned },
}

const roleNames: Record<number, string> = { 1: 'ordinary user', 10: 'admin', 100: 'super admin' }
const statusNames: Record<number, string> = { 1: 'activated', 2: 'banned' }

export function manageUser({
  ctx,
  actor,
  input,
}: UserCall<InputOf<typeof usersApi.manage>>): Promise<OutputOf<typeof usersApi.manage>> {
  const at = epochSeconds(ctx)
  return transact(ctx, async (tx, announce) => {
    const user = await lockUser(tx, { username: input.username })
    if (!user) throw new AppError('user.not_found')
    requireManageable(actor, user, input.action)
    announce({ topic: 'user', id: user.id })
    const managing: Managing = { ctx, tx, actor, at }
    if (input.action === 'clear_second_factor') return clearSecondFactor(managing, user)
    if (input.action === 'delete') {
      await leaveTeams(tx, { userId: user.id, at, announce })
      return remove(managing, user)
    }
    return stand(managing, user, { role: user.role, status: user.status, ...effects[input.action] })
  })
}

interface Managing {
  readonly ctx: Context
  readonly tx: Tx
  readonly actor: Actor
  readonly at: number
}

/** For somebody who has lost it; the next login needs the password alone. */
async function clearSecondFactor({ ctx, tx, actor, at }: Managing, user: UserRow): Promise<Standing> {
  const { id, username, role, status } = user
  await clearFactors(tx, id)
  const fields = { second_factor: secretShown }
  const thing = { id, name: username, before: fields, after: { second_factor: '' } }
  await record(ctx, tx, actor, { kind: 'user', things: [thing], final: 'second_factor' })
  const content = `administrator #${actor.id} cleared the user's second factor`
  await writeLog(tx, { userId: id, username, type: logType.admin, content, at })
  return { role, status }
}

async function remove({ ctx, tx, actor, at }: Managing, { id, role, status }: UserRow): Promise<Standing> {
  await closeAccount(tx, { userId: id, at })
  await eraseAccount(tx, id)
  await record(ctx, tx, actor, {
    kind: 'user',
    things: [{ id, name: '', before: { role, status }, after: null }],
    final: 'account',
  })
  await writeLog(tx, {
    userId: actor.id,
    username: actor.username,
    type: logType.admin,
    content: `administrator #${actor.id} deleted user #${id}`,
    at,
  })
  return { role, status }
}

async function stand({ ctx, tx, actor, at }: Managing, user: UserRow, next: Standing): Promise<Standing> {
  const changes = [
    ...(next.role === user.role ? [] : [`role from ${roleNames[user.role]} to ${roleNames[next.role]}`]),
    ...(next.status === user.status ? [] : [`status from ${statusNames[user.status]} to ${statusNames[next.status]}`]),
  ]
  if (changes.length === 0) return next
  await updateUser(tx, user.id, next)
  const before = { role: user.role, status: user.status }
  await record(ctx, tx, actor, {
    kind: 'user',
    things: [{ id: user.id, name: user.username, before, after: { ...next } }],
  })
  await writeLog(tx, {
    userId: user.id,
    username: user.username,
    type: logType.admin,
    content: `administrator #${actor.id} changed the user's ${changes.join(' and ')}`,
    at,
  })
  return next
}
