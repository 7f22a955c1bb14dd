import { countFailure, refuseExhausted } from '#server/http/attempts.ts'
import type { Call } from '#server/http/call.ts'
import { factorNames, factorsOf } from '#server/http/second-factors.ts'
import { endSession } from '#server/http/session.ts'
import { grantSession } from '#server/identity/grant-session.ts'
import { refuseGuessing } from '#server/identity/login-addresses.ts'
import { openTicket } from '#server/identity/tickets.ts'
import { checkingPassword, hashAtLogin, isOutdatedHash } from '#server/lib/passwords.ts'
import type { authApi } from '#shared/api/auth.ts'
import { defaultRootPassword } from '#shared/api/users.ts'
import type { InputOf, OutputOf } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'
import { isRoot } from '#shared/roles.ts'
import { userStatus } from '#shared/statuses.ts'
import { findForLogin, type LoginRow, upgradeHash } from './auth.store.ts'

type Login = InputOf<typeof authApi.login>

/** With a second factor the password opens nothing but the way to it. */
export async function logIn(call: Call<Login>): Promise<OutputOf<typeof authApi.login>> {
  const { ctx, input } = call
  if (!ctx.options().PasswordLoginEnabled) throw new AppError('auth.password_login_off')
  const user = await upgraded(call, await checkCredentials(call))
  const factors = factorNames(await factorsOf(ctx.database.db, user.id))
  if (factors.length > 0) return { second_factor: factors, ticket: await openTicket(ctx, user) }
  await grantSession(call, user)
  return isRoot(user.role) && input.password === defaultRootPassword ? { ...user, default_password: true } : user
}

/** The account with a hash of today. When another login, or a new password, was faster, the password is checked again. */
async function upgraded(call: Call<Login>, user: LoginRow): Promise<LoginRow> {
  if (!isOutdatedHash(user.password_hash)) return user
  const password_hash = await hashAtLogin(call.input.password)
  const isKept = await upgradeHash(call.ctx.database.db, user.id, user.password_hash, password_hash)
  return isKept ? { ...user, password_hash } : checkCredentials(call)
}

/** Unknown name, wrong password and banned user cannot be distinguished, by answer or by work done. */
function checkCredentials(call: Call<Login>): Promise<LoginRow> {
  const { username, password } = call.input
  return checkingPassword(async (check) => {
    await refuseExhausted(call)
    const user = await findForLogin(call.ctx.database.db, username)
    await refuseGuessing(call, { id: user?.id ?? 0, username })
    const matches = await check(password, user?.password_hash ?? '')
    if (user && matches && user.status === userStatus.activated) return user
    await countFailure(call, username)
    throw new AppError('auth.wrong_credentials')
  })
}

export async function logOut(call: Call<unknown>): Promise<void> {
  call.cookies.push(await endSession(call.ctx, call.request))
}
