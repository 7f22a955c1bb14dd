import { spellAmount } from '#server/billing/pricing/spell-amount.ts'
import type { Context } from '#server/context.ts'
import { canSendMail, sendMail } from '#server/mail/mailer.ts'
import { quotaMail } from '#server/mail/templates.ts'
import type { RelayObserver } from './observer.ts'
import { claimReminder, forgetReminder, readOwnBalance, releaseReminder } from './quota-reminder.store.ts'

const tryAgainMs = 5000
const usersMax = 10_000

/** One user whose balance is being looked at. */
interface Look {
  /** Something was charged meanwhile: the balance that was read may be older. */
  again: boolean
  /** The account was changed meanwhile, perhaps topped up: what is found counts no more. */
  stale: boolean
}

/** Mails a user whose quota falls below the threshold: once, whatever runs in parallel, until it has been above again. */
export function createQuotaReminder(ctx: Context): RelayObserver {
  const looks = new Map<number, Look>()
  const forgetting = new Map<number, Promise<void>>()
  /** Not before this time; never while one is known to have been reminded. */
  const nextLook = new Map<number, number>()
  ctx.changes.listen(({ topic, id }) => {
    if (topic === 'everything') nextLook.clear()
    if (topic !== 'user' || id === undefined) return
    nextLook.delete(id)
    const look = looks.get(id)
    if (look) look.stale = true
    const forgotten = forgetReminder(ctx.database.db, id, ctx.options().QuotaRemindThreshold)
      .catch((cause) => ctx.log.warn('a reminder could not be forgotten', { user: id, cause }))
      .finally(() => {
        if (forgetting.get(id) === forgotten) forgetting.delete(id)
      })
    forgetting.set(id, forgotten)
  })

  const lookAt = async (userId: number, email: string): Promise<void> => {
    const look: Look = { again: false, stale: false }
    looks.set(userId, look)
    let isDone = false
    try {
      do {
        look.again = false
        look.stale = false
        await forgetting.get(userId)
        isDone = await remind(ctx, userId, email)
      } while (look.stale || (look.again && !isDone))
      if (isDone) remember(userId, Number.POSITIVE_INFINITY)
    } catch (cause) {
      remember(userId, ctx.clock() + tryAgainMs)
      ctx.log.warn('a user could not be reminded', { user: userId, cause })
    } finally {
      looks.delete(userId)
    }
  }
  const remember = (userId: number, at: number) => {
    if (nextLook.size >= usersMax) nextLook.clear()
    nextLook.set(userId, at)
  }

  return ({ request: { caller }, result: { paid, after } }) => {
    const options = ctx.options()
    const { userId, email, teamId } = caller
    if (paid === 0 || teamId > 0 || after >= options.QuotaRemindThreshold || email === '' || !canSendMail(options))
      return
    const look = looks.get(userId)
    if (look) look.again = true
    else if (ctx.clock() >= (nextLook.get(userId) ?? 0)) void lookAt(userId, email)
  }
}

/** Returns whether the user has been reminded, by us or by another node. */
async function remind(ctx: Context, userId: number, email: string): Promise<boolean> {
  const { QuotaRemindThreshold, ServerAddress, SystemName } = ctx.options()
  const { db } = ctx.database
  // What running requests hold may yet come back.
  const balance = await readOwnBalance(db, userId)
  if (balance === null || balance >= QuotaRemindThreshold) return false
  if (!(await claimReminder(db, userId))) return true
  const left = spellAmount(ctx.options(), balance)
  const mail = { to: email, system: SystemName, left, usedUp: balance <= 0, link: `${ServerAddress}/topup` }
  await sendMail(ctx, quotaMail(mail)).catch(async (error) => {
    await releaseReminder(db, userId)
    throw error
  })
  return true
}
