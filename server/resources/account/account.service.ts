import { closeAccount } from '#server/accounts/close-account.ts'
import { eraseAccount } from '#server/accounts/erase-account.ts'
import { eraseSoon } from '#server/accounts/erase-rows.ts'
import { leaveTeams, ownsTeam } from '#server/accounts/leave-teams.ts'
import { lockUsers } from '#server/accounts/lock-users.ts'
import { newNameKey } from '#server/accounts/name-key.ts'
import { presentUser } from '#server/accounts/present-user.ts'
import { epochSeconds } from '#server/context.ts'
import { transact } from '#server/db/transact.ts'
import { takenColumn } from '#server/db/unique.ts'
import { record } from '#server/history/record.ts'
import type { UserCall } from '#server/http/call.ts'
import { endSession, requireEntrance, revokeAccess } from '#server/http/session.ts'
import { compact } from '#server/lib/json.ts'
import { hashPassword } from '#server/lib/passwords.ts'
import { randomHex } from '#server/lib/random.ts'
import type { accountApi } from '#shared/api/account.ts'
import type { User } from '#shared/api/users.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'
import { isAdmin, isRoot } from '#shared/roles.ts'
import { findOwn, ownAffCode, updateOwn } from './account.store.ts'

export async function getSelf({ ctx, actor }: UserCall<unknown>): Promise<User> {
  const row = await findOwn(ctx.database.db, actor.id)
  if (!row) throw new AppError('auth.required')
  return presentUser(ctx, row)
}

export async function updateSelf(call: UserCall<InputOf<typeof accountApi.update>>): Promise<void> {
  const { ctx, actor, input } = call
  const { username, display_name, password } = input
  const change = compact({
    username,
    name_key: username === undefined || username === actor.username ? undefined : newNameKey(username),
    // An empty display name falls back to the username.
    display_name: display_name === '' ? (username ?? actor.username) : display_name,
    password_hash: password ? await hashPassword(password) : undefined,
  })
  if (Object.keys(change).length === 0) return
  try {
    await transact(ctx, async (tx, announce) => {
      await lockUsers(tx, [actor.id])
      await requireEntrance(tx, call)
      const before = await findOwn(tx, actor.id)
      await updateOwn(tx, actor.id, change)
      const after = await findOwn(tx, actor.id)
      if (isAdmin(actor.role) && before && after) {
        await record(ctx, tx, actor, { kind: 'user', things: [{ id: actor.id, name: after.username, before, after }] })
      }
      if (change.password_hash) await revokeAccess(tx, actor.id, actor.sessionHash)
      announce({ topic: 'user', id: actor.id })
    })
  } catch (error) {
    throw takenColumn(error) === 'username' ? new AppError('user.name_taken') : error
  }
}

export async function removeSelf(call: UserCall<unknown>): Promise<void> {
  const { ctx, actor } = call
  if (isRoot(actor.role)) throw new AppError('user.cannot_delete_root')
  await transact(ctx, async (tx, announce) => {
    await lockUsers(tx, [actor.id])
    await requireEntrance(tx, call)
    if (await ownsTeam(tx, actor.id)) throw new AppError('user.owns_team')
    await leaveTeams(tx, { userId: actor.id, at: epochSeconds(ctx), announce })
    await closeAccount(tx, { userId: actor.id, at: epochSeconds(ctx) })
    await eraseAccount(tx, actor.id)
    announce({ topic: 'user', id: actor.id })
  })
  await eraseSoon(ctx)
  call.cookies.push(await endSession(ctx, call.request))
}

/** A new access token, shown this once; only its hash is kept. */
export async function renewAccessToken(call: UserCall<unknown>): Promise<string> {
  const { ctx, actor } = call
  const token = randomHex(32)
  await transact(ctx, async (tx) => {
    await lockUsers(tx, [actor.id])
    await requireEntrance(tx, call)
    await updateOwn(tx, actor.id, { access_token_hash: ctx.secrets.hash(token) })
  })
  return token
}

export const affiliateCode = ({ ctx, actor }: UserCall<unknown>): Promise<string> =>
  transact(ctx, (tx) => ownAffCode(tx, actor.id))
