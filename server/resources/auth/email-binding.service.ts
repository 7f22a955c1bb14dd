import { rememberGifts } from '#server/accounts/gifts.ts'
import { lockUsers } from '#server/accounts/lock-users.ts'
import { type Context, epochSeconds } from '#server/context.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { takenColumn } from '#server/db/unique.ts'
import type { UserCall } from '#server/http/call.ts'
import { requireEntrance } from '#server/http/session.ts'
import { requireAllowedDomain } from '#server/identity/allowed-domain.ts'
import { hasJustLoggedIn, requireOwnPassword } from '#server/identity/proof.ts'
import { canSendMail, sendMail } from '#server/mail/mailer.ts'
import { addressChangedMail } from '#server/mail/templates.ts'
import type { authApi } from '#shared/api/auth.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'
import { findAddress, setEmail } from './auth.store.ts'
import { checkCode } from './codes.service.ts'

type Binding = InputOf<typeof authApi.emailBind>

/**
 * A first address, or any of an account without a password: whoever has one must show it to change the address. Passwords are mailed to
 * an address, so a session alone, which may be stolen, binds one only soon after its login.
 */
export async function bindEmail(call: UserCall<Binding>): Promise<void> {
  const { ctx, actor } = call
  const isFresh = await hasJustLoggedIn(call)
  const allow = async (db: Db | Tx) => {
    const { email, password_hash } = await findAddress(db, actor.id)
    if (password_hash !== '' && (email !== '' || !isFresh)) throw new AppError('email.password_needed')
    if (!isFresh) throw new AppError('auth.login_needed')
  }
  // Before a wrong code is counted, and once more before the address is written.
  await allow(ctx.database.db)
  await bind(call, allow)
}

export async function changeEmail(call: UserCall<InputOf<typeof authApi.emailChange>>): Promise<void> {
  await requireOwnPassword(call, call.input.password)
  await bind(call, async () => {})
}

async function bind(call: UserCall<Binding>, allow: (tx: Tx) => Promise<void>): Promise<void> {
  const { ctx, input, actor } = call
  requireAllowedDomain(ctx.options(), input.email)
  const useUp = await checkCode(call, 'verify', input.email, input.code.toUpperCase())
  try {
    const before = await transact(ctx, async (tx, announce) => {
      await lockUsers(tx, [actor.id])
      await requireEntrance(tx, call)
      await allow(tx)
      const { email } = await findAddress(tx, actor.id)
      await useUp(tx)
      await setEmail(tx, actor.id, input.email)
      await rememberGifts(tx, ctx.secrets, { email: input.email }, epochSeconds(ctx))
      announce({ topic: 'user', id: actor.id })
      return email
    })
    if (before !== '' && before !== input.email) mailBothAddresses(ctx, before, input.email)
  } catch (error) {
    throw takenColumn(error) === 'email' ? new AppError('email.taken') : error
  }
}

/** The old address is notified too: its owner may not be who changed it. */
function mailBothAddresses(ctx: Context, before: string, after: string): void {
  if (!canSendMail(ctx.options())) return
  const system = ctx.options().SystemName
  for (const to of [before, after]) sendMail(ctx, addressChangedMail({ to, system, after })).catch(() => {})
}
