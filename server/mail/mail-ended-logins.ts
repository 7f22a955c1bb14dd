import type { Context } from '#server/context.ts'
import { canSendMail, sendMail } from './mailer.ts'
import { loginsEndedMail } from './templates.ts'

interface Ended {
  readonly email: string
  readonly passkeys: number
  readonly links: readonly string[]
}

/** Notifies the owner of an account whose passkeys and linked logins have ended, if any have. Never throws. */
export async function mailEndedLogins(ctx: Context, { email, passkeys, links }: Ended): Promise<void> {
  const options = ctx.options()
  if (email === '' || passkeys + links.length === 0 || !canSendMail(options)) return
  await sendMail(ctx, loginsEndedMail({ to: email, system: options.SystemName, passkeys, links })).catch(() => {})
}
