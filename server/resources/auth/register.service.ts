import { openAccount } from '#server/accounts/open-account.ts'
import { epochSeconds } from '#server/context.ts'
import { transact } from '#server/db/transact.ts'
import { takenColumn } from '#server/db/unique.ts'
import { countingRegistration } from '#server/http/attempts.ts'
import type { Call } from '#server/http/call.ts'
import { requireAllowedDomain } from '#server/identity/allowed-domain.ts'
import { hashPassword } from '#server/lib/passwords.ts'
import { type authApi, Email } from '#shared/api/auth.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError, invalid } from '#shared/errors.ts'
import { findInviter, isNameTaken } from './auth.store.ts'
import { checkCode, type UseUp } from './codes.service.ts'
import { requireHuman } from './turnstile.ts'

type Registration = InputOf<typeof authApi.register>

export async function register(call: Call<Registration>): Promise<void> {
  const { ctx, input } = call
  const options = ctx.options()
  if (!options.RegisterEnabled) throw new AppError('register.closed')
  if (!options.PasswordRegisterEnabled) throw new AppError('register.password_off')
  if (input.password2 !== undefined && input.password2 !== input.password) {
    throw new AppError('register.passwords_differ')
  }
  await requireHuman(call, input.turnstile)
  const verified = await verifiedEmail(call)
  const create = (passwordHash: string) =>
    transact(ctx, async (tx, announce) => {
      await verified?.useUp(tx)
      const account = {
        username: input.username,
        passwordHash,
        displayName: input.username,
        email: verified?.email ?? '',
        inviter: input.aff_code ? await findInviter(tx, input.aff_code) : undefined,
      }
      await openAccount(tx, account, { options, secrets: ctx.secrets, at: epochSeconds(ctx), announce })
    })
  // Hashing takes a while, and logins wait for their turn with it: what would be refused is, before.
  await countingRegistration(call, async () => {
    if (await isNameTaken(ctx.database.db, input.username)) throw new AppError('user.name_taken')
    const passwordHash = await hashPassword(input.password)
    await create(passwordHash).catch((error) => {
      const taken = takenColumn(error)
      if (taken === 'username') throw new AppError('user.name_taken')
      if (taken === 'email') throw new AppError('email.taken')
      if (taken === 'aff_code') return create(passwordHash)
      throw error
    })
  })
}

/** The proven address, where proof is asked for. Otherwise an address sent along is not kept: nobody has proven it. */
async function verifiedEmail(call: Call<Registration>): Promise<{ email: string; useUp: UseUp } | null> {
  const { ctx, input } = call
  const options = ctx.options()
  if (!options.EmailVerificationEnabled) return null
  if (!input.email || !input.verification_code) throw new AppError('register.needs_email')
  const parsed = Email.safeParse(input.email)
  if (!parsed.success) throw invalid('email.not')
  requireAllowedDomain(options, parsed.data)
  const useUp = await checkCode(call, 'verify', parsed.data, input.verification_code.toUpperCase())
  return { email: parsed.data, useUp }
}
