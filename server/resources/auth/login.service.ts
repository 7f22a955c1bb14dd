import { countFailure, refuseExhausted } from '#server/http/attempts.ts'
import type { Call } from '#server/http/call.ts'
import { endSession, startSession } from '#server/http/session.ts'
import { checkingPassword, hashPassword, isOutdatedHash } from '#server/lib/passwords.ts'
import type { authApi, LoginUser } from '#shared/api/auth.ts'
import { defaultRootPassword } from '#shared/api/users.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'
import { isRoot } from '#shared/roles.ts'
import { userStatus } from '#shared/statuses.ts'
import { findForLogin, type LoginRow, upgradeHash } from './auth.store.ts'
import { hasEnteredFrom, rememberAddress } from './login-addresses.ts'

type Login = InputOf<typeof authApi.login>

export async function logIn(call: Call<Login>): Promise<LoginUser & { default_password?: boolean }> {
  const { ctx, input } = call
  if (!ctx.options().PasswordLoginEnabled) throw new AppError('auth.password_login_off')
  const user = await checkCredentials(call)
  if (isOutdatedHash(user.password_hash)) {
    await upgradeHash(ctx.database.db, user.id, user.password_hash, await hashPassword(input.password))
  }
  await enter(call, user)
  return isRoot(user.role) && input.password === defaultRootPassword ? { ...user, default_password: true } : user
}

/** Unknown name, wrong password and banned user cannot be told apart, by answer or by work done. */
function checkCredentials(call: Call<Login>): Promise<LoginRow> {
  const { username, password } = call.input
  return checkingPassword(async (check) => {
    await refuseExhausted(call)
    const user = await findForLogin(call.ctx.database.db, username)
    await refuseExhausted(call, username, await hasEnteredFrom(call, user?.id ?? 0))
    const matches = await check(password, user?.password_hash ?? '')
    if (user && matches && user.status === userStatus.activated) return user
    await countFailure(call, username)
    throw new AppError('auth.wrong_credentials')
  })
}

/** Lets a user in: a session of its own, never one that was there before. */
export async function enter(call: Call<unknown>, user: Pick<LoginUser, 'id' | 'status'>): Promise<void> {
  if (user.status !== userStatus.activated) throw new AppError('auth.banned')
  call.cookies.push(await startSession(call.ctx, call.request, user.id))
  await rememberAddress(call, user.id)
}

export async function logOut(call: Call<unknown>): Promise<void> {
  call.cookies.push(await endSession(call.ctx, call.request))
}
