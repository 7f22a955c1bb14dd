import { epochSeconds } from '#server/context.ts'
import { countFailure } from '#server/http/attempts.ts'
import type { UserCall } from '#server/http/call.ts'
import { checkingPassword } from '#server/lib/passwords.ts'
import type { OwnerProof } from '#shared/api/proof.ts'
import { AppError } from '#shared/errors.ts'
import { guessing, refuseGuessing } from './login-addresses.ts'
import { acceptCode } from './second-factor-code.ts'
import { findTotp } from './totp.store.ts'

export const hasProof = ({ password, second_factor }: OwnerProof): boolean => Boolean(password || second_factor)

/** How long a login counts as one of just now. */
const recentSeconds = 600

/**
 * Refuses who has nothing but a session: it may be stolen, and a new way in would outlive it. An account without a password shows a
 * code of its second factor, or a login of just now.
 */
export async function requireProof(call: UserCall<OwnerProof>): Promise<void> {
  const { ctx, actor, input } = call
  if (input.password) return requireOwnPassword(call, input.password)
  const { second_factor: code } = input
  const isNewFactor = code !== undefined && code !== '' && (await hasNewFactor(call))
  if (code && !isNewFactor) {
    return guessing(call, actor, async () => {
      if (!(await acceptCode(ctx, actor.id, code))) throw new AppError('code.wrong')
    })
  }
  if ((await passwordHashOf(call)) !== '') throw new AppError(isNewFactor ? 'auth.factor_new' : 'auth.proof_needed')
  if (!(await hasJustLoggedIn(call))) throw new AppError('auth.login_needed')
}

export const hasJustLoggedIn = async (call: UserCall<unknown>): Promise<boolean> =>
  (await loginTime(call)) >= epochSeconds(call.ctx) - recentSeconds

/** A session sets up an authenticator app without any proof: that app's codes prove no more than the session does. */
async function hasNewFactor(call: UserCall<unknown>): Promise<boolean> {
  const factor = await findTotp(call.ctx.database.db, call.actor.id)
  return factor?.confirmed === 1 && factor.created_time > (await loginTime(call))
}

export async function requireOwnPassword(call: UserCall<unknown>, password: string): Promise<void> {
  await checkingPassword(async (check) => {
    await refuseGuessing(call, call.actor)
    if (await check(password, await passwordHashOf(call))) return
    await countFailure(call, call.actor.username)
    throw new AppError('email.wrong_password')
  })
}

async function passwordHashOf({ ctx, actor }: UserCall<unknown>): Promise<string> {
  const user = await ctx.database.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', actor.id)
    .executeTakeFirst()
  // The account may have been deleted since the call began.
  if (!user) throw new AppError('auth.required')
  return user.password_hash
}

/** When the session of a call began; 0 for an access token. */
async function loginTime({ ctx, actor }: UserCall<unknown>): Promise<number> {
  const session = await ctx.database.db
    .selectFrom('sessions')
    .select('created_at')
    .where('id_hash', '=', actor.sessionHash ?? '')
    .executeTakeFirst()
  return session?.created_at ?? 0
}
