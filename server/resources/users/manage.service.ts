import { closeAccount } from '#server/accounts/close-account.ts'
import { eraseAccount } from '#server/accounts/erase-account.ts'
import { eraseSoon } from '#server/accounts/erase-rows.ts'
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
import { byWhom, logUserEvents, standingEvents } from './user-events.ts'
import { lockUser, updateUser } from './users.store.ts'

type Standing = Pick<UserRow, 'role' | 'status'>

const effects: Record<Exclude<UserAction, 'delete' | 'clear_second_factor'>, Partial<Standing>> = {
  promote: { role: roles.admin },
  demote: { role: roles.user },
  enable: { status: userStatus.activated },
  disable: { status: userStatus.banned },
}

export async function manageUser({
  ctx,
  actor,
  input,
}: UserCall<InputOf<typeof usersApi.manage>>): Promise<OutputOf<typeof usersApi.manage>> {
  const at = epochSeconds(ctx)
  const standing = await transact(ctx, async (tx, announce) => {
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
  if (input.action === 'delete') await eraseSoon(ctx)
  return standing
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
  await logUserEvents(tx, user, [{ code: 'user.second_factor_cleared', values: byWhom(actor) }], at)
  return { role, status }
}

async function remove(managing: Managing, { id, role, status }: UserRow): Promise<Standing> {
  const { ctx, tx, actor } = managing
  await closeAndErase(managing, id)
  await record(ctx, tx, actor, {
    kind: 'user',
    things: [{ id, name: '', before: { role, status }, after: null }],
    final: 'account',
  })
  return { role, status }
}

export async function closeAndErase({ tx, actor, at }: Omit<Managing, 'ctx'>, id: number): Promise<void> {
  await closeAccount(tx, { userId: id, at })
  await eraseAccount(tx, id)
  await writeLog(tx, {
    userId: actor.id,
    username: actor.username,
    type: logType.admin,
    event: { code: 'user.deleted', values: { ...byWhom(actor), user: { user: id } } },
    at,
  })
}

async function stand({ ctx, tx, actor, at }: Managing, user: UserRow, next: Standing): Promise<Standing> {
  const events = standingEvents(actor, user, next)
  if (events.length === 0) return next
  await updateUser(tx, user.id, next)
  const before = { role: user.role, status: user.status }
  const thing = { id: user.id, name: user.username, before, after: { ...next } }
  await record(ctx, tx, actor, { kind: 'user', things: [thing] })
  await logUserEvents(tx, user, events, at)
  return next
}
