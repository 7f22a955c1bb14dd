import { endAddedLogins } from '#server/accounts/end-added-logins.ts'
import { epochSeconds } from '#server/context.ts'
import { writeLog } from '#server/db/logs/log-rows.ts'
import { transact } from '#server/db/transact.ts'
import { countMail } from '#server/http/attempts.ts'
import type { Call } from '#server/http/call.ts'
import { revokeAccess } from '#server/http/session.ts'
import { requireAllowedDomain } from '#server/identity/allowed-domain.ts'
import { hashPassword } from '#server/lib/passwords.ts'
import { randomHex, randomText } from '#server/lib/random.ts'
import { mailEndedLogins } from '#server/mail/mail-ended-logins.ts'
import { requireMail, sendMail } from '#server/mail/mailer.ts'
import { addressInUseMail, resetMail, verificationMail } from '#server/mail/templates.ts'
import type { authApi } from '#shared/api/auth.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'
import { logType } from '#shared/statuses.ts'
import { findByEmail, setPasswordHash } from './auth.store.ts'
import { checkCode, codeMinutes, issueCode } from './codes.service.ts'
import { mailLink } from './mail-link.ts'
import { requireHuman } from './turnstile.ts'

/** Without letters and digits that look alike. */
const codeAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Mails a code, or word that the address has an account: the answer is the same, and so is the work. */
export async function sendVerification(call: Call<InputOf<typeof authApi.verification>>): Promise<void> {
  const { ctx, input } = call
  const { email: to } = input
  requireMail(ctx.options())
  requireAllowedDomain(ctx.options(), to)
  await requireHuman(call, input.turnstile)
  await countMail(call, to)
  const system = ctx.options().SystemName
  if (await findByEmail(ctx.database.db, to)) return sendMail(ctx, addressInUseMail({ to, system }))
  const code = randomText(6, codeAlphabet)
  await issueCode(ctx, 'verify', to, code)
  await sendMail(ctx, verificationMail({ to, system, minutes: codeMinutes, code }))
}

/** Mails a reset link. Nobody waits for the mail, so that an unknown address answers as fast as a known one. */
export async function requestReset(call: Call<InputOf<typeof authApi.resetRequest>>): Promise<void> {
  const { ctx, input } = call
  const { email: to } = input
  requireMail(ctx.options())
  await requireHuman(call, input.turnstile)
  await countMail(call, to)
  const token = randomHex(32)
  await issueCode(ctx, 'reset', to, token)
  if (!(await findByEmail(ctx.database.db, to))) return
  const link = mailLink(ctx, call.request, `/user/reset?${new URLSearchParams({ email: to, token })}`)
  const mail = resetMail({ to, system: ctx.options().SystemName, minutes: codeMinutes, link })
  sendMail(ctx, mail).catch(() => {})
}

/** Sets a new random password for the account with that address, ends every other way in, and returns the password. */
export async function resetPassword(call: Call<InputOf<typeof authApi.reset>>): Promise<string> {
  const { ctx, input } = call
  const useUp = await checkCode(call, 'reset', input.email, input.token)
  const password = randomText(12)
  const hash = await hashPassword(password)
  const ended = await transact(ctx, async (tx) => {
    await useUp(tx)
    const user = await findByEmail(tx, input.email)
    if (!user) throw new AppError('reset.invalid')
    await setPasswordHash(tx, user.id, hash)
    await revokeAccess(tx, user.id, null)
    const logins = await endAddedLogins(tx, user.id)
    await writeLog(tx, {
      userId: user.id,
      username: user.username,
      type: logType.system,
      event: { code: 'password.by_mail', values: {} },
      at: epochSeconds(ctx),
    })
    return logins
  })
  void mailEndedLogins(ctx, ended)
  return password
}
