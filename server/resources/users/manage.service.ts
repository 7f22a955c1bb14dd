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
    content: `administrator #${actor.id} deleted user #${id}`,
    at,
  })
}

/** What of somebody's standing changed, in words; nothing, or one sentence. */
export function standingWords(before: Standing, after: Standing): string[] {
  const changes = [
    ...(after.role === before.role ? [] : [`role from ${roleNames[before.role]} to ${roleNames[after.role]}`]),
    ...(after.status === before.status
      ? []
      : [`status from ${statusNames[before.status]} to ${statusNames[after.status]}`]),
  ]
  return changes.length === 0 ? [] : [`changed the user's ${changes.join(' and ')}`]
}

/** Writes into a user's log what an administrator did to the account. */
export const noteOf = (
  { tx, actor, at }: Omit<Managing, 'ctx'>,
  { id, username }: Pick<UserRow, 'id' | 'username'>,
  words: string,
): Promise<void> =>
  writeLog(tx, { userId: id, username, type: logType.admin, content: `administrator #${actor.id} ${words}`, at })

async function stand(managing: Managing, user: UserRow, next: Standing): Promise<Standing> {
  const { ctx, tx, actor } = managing
  const [words] = standingWords(user, next)
  if (words === undefined) return next
  await updateUser(tx, user.id, next)
  const before = { role: user.role, status: user.status }
  const thing = { id: user.id, name: user.username, before, after: { ...next } }
  await record(ctx, tx, actor, { kind: 'user', things: [thing] })
  await noteOf(managing, user, words)
  return next
}
