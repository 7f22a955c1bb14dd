import { spellAmount } from '#server/billing/pricing/spell-amount.ts'
import type { Context } from '#server/context.ts'
import { canSendMail, sendMail } from '#server/mail/mailer.ts'
import { quotaMail } from '#server/mail/templates.ts'
import type { RelayObserver } from './observer.ts'
import { claimReminder, forgetReminder, readOwnBalance } from './quota-reminder.store.ts'

const lookAgainMs = 5000
const usersMax = 10_000

/** Mails a user whose quota falls below the threshold: once, whatever runs in parallel, until it has been above again. */
export function createQuotaReminder(ctx: Context): RelayObserver {
  /** When to look at a user again; never while one is known to have been reminded. */
  const nextLook = new Map<number, number>()
  ctx.changes.listen(({ topic, id }) => {
    if (topic === 'everything') nextLook.clear()
    if (topic !== 'user' || id === undefined) return
    nextLook.delete(id)
    forgetReminder(ctx.database.db, id, ctx.options().QuotaRemindThreshold).catch((cause) =>
      ctx.log.warn('a reminder could not be forgotten', { user: id, cause }),
    )
  })
  return ({ request: { caller }, result: { paid, after } }) => {
    const options = ctx.options()
    if (
      paid === 0 ||
      caller.teamId > 0 ||
      after >= options.QuotaRemindThreshold ||
      caller.email === '' ||
      !canSendMail(options)
    )
      return
    const { userId, email } = caller
    if (ctx.clock() < (nextLook.get(userId) ?? 0)) return
    if (nextLook.size >= usersMax) nextLook.clear()
    nextLook.set(userId, ctx.clock() + lookAgainMs)
    remind(ctx, userId, email)
      .then((done) => done && nextLook.set(userId, Number.POSITIVE_INFINITY))
      .catch((cause) => ctx.log.warn('a user could not be reminded', { user: userId, cause }))
  }
}

/** Returns whether the user has been reminded, by us or by another node. */
async function remind(ctx: Context, userId: number, email: string): Promise<boolean> {
  const { QuotaRemindThreshold, ServerAddress, SystemName } = ctx.options()
  // What running requests hold may yet come back.
  const balance = await readOwnBalance(ctx.database.db, userId)
  if (balance === null || balance >= QuotaRemindThreshold) return false
  if (!(await claimReminder(ctx.database.db, userId))) return true
  const left = spellAmount(ctx.options(), balance)
  await sendMail(
    ctx,
    quotaMail({ to: email, system: SystemName, left, usedUp: balance <= 0, link: `${ServerAddress}/topup` }),
  )
  return true
}
