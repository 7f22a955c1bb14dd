import { countFailure, refuseExhausted } from '#server/http/attempts.ts'
import type { Call } from '#server/http/call.ts'
import { grantSession } from '#server/identity/grant-session.ts'
import { guessing } from '#server/identity/login-addresses.ts'
import { acceptCode } from '#server/identity/second-factor-code.ts'
import { readTicket, setChallenge, type Ticket, takeTicket } from '#server/identity/tickets.ts'
import type { LoginUser } from '#shared/api/auth.ts'
import type { identityApi } from '#shared/api/identity.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError, invalid } from '#shared/errors.ts'
import { type Assertion, assertionOptions, verifyAssertion } from './assertions.ts'
import { issueChallenge, spendChallenge } from './challenges.ts'
import { passkeysOf } from './passkeys.store.ts'

/** Logins by passkey belong to nobody until they are done. */
const nobody = 0

export async function passkeyLoginOptions(call: Call<unknown>): Promise<Record<string, unknown>> {
  await refuseExhausted(call)
  const options = await assertionOptions(call)
  await issueChallenge(call.ctx, 'login', nobody, options.challenge)
  return { ...options }
}

/** Whoever has the key and unlocked it has shown two factors at once. */
export async function passkeyLogin(call: Call<{ assertion: Assertion }>): Promise<LoginUser> {
  const { ctx, input } = call
  await refuseExhausted(call)
  const passkey = await verifyAssertion(call, input.assertion, (challenge) =>
    spendChallenge(ctx, 'login', nobody, challenge),
  ).catch(async (error) => {
    await countFailure(call)
    throw error
  })
  return admit(call, passkey.user_id)
}

export async function secondLoginOptions(call: Call<{ ticket: string }>): Promise<Record<string, unknown>> {
  const { ctx, input } = call
  const ticket = await readTicket(ctx, input.ticket, false)
  const known = await passkeysOf(ctx.database.db, ticket.userId)
  if (known.length === 0) throw new AppError('passkey.not_found')
  const options = await assertionOptions(call, known)
  await setChallenge(ctx, ticket, options.challenge)
  return { ...options }
}

export async function secondLogin(call: Call<InputOf<typeof identityApi.secondLogin>>): Promise<LoginUser> {
  const { ctx, input } = call
  if ((input.code === undefined) === (input.assertion === undefined)) throw invalid('code.required', {}, 'code')
  const ticket = await readTicket(ctx, input.ticket, true)
  const user = await account(call, ticket.userId)
  await guessing(call, user, async () => {
    if (input.code !== undefined && !(await acceptCode(ctx, ticket.userId, input.code)))
      throw new AppError('code.wrong')
    if (input.assertion !== undefined) await requireAssertion(call, ticket, input.assertion)
  })
  await takeTicket(ctx, ticket)
  // A new password ends tickets, also those that were taken while it was written.
  return admit(call, ticket.userId, user.password_hash)
}

async function requireAssertion(call: Call<unknown>, ticket: Ticket, assertion: Assertion): Promise<void> {
  const { challenge } = ticket
  await setChallenge(call.ctx, ticket, '')
  const passkey = await verifyAssertion(call, assertion, (signed) => challenge !== '' && signed === challenge)
  if (passkey.user_id !== ticket.userId) throw new AppError('passkey.unknown')
}

const account = ({ ctx }: Call<unknown>, id: number) =>
  ctx.database.db
    .selectFrom('users')
    .select(['id', 'username', 'display_name', 'role', 'status', 'password_hash'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

async function admit(call: Call<unknown>, userId: number, passwordHash?: string): Promise<LoginUser> {
  const { password_hash: _, ...user } = await account(call, userId)
  await grantSession(call, passwordHash === undefined ? user : { ...user, password_hash: passwordHash })
  return user
}
