import type { AccountKind } from '#server/billing/ledger/account.ts'
import type { BudgetState } from '#server/billing/ledger/purses.ts'
import { spellAmount } from '#server/billing/pricing/spell-amount.ts'
import { type Context, epochSeconds } from '#server/context.ts'
import { claimBudgetWarning, releaseBudgetWarning } from '#server/db/budget-warnings.ts'
import { canSendMail, sendMail } from '#server/mail/mailer.ts'
import { notifyRoot } from '#server/mail/notify-root.ts'
import { noticeMail } from '#server/mail/templates.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import { managersOf } from './budget-reminder.store.ts'
import type { RelayObserver } from './observer.ts'

const rememberedMax = 10_000

const owners: Readonly<Record<AccountKind, (caller: Caller) => { readonly id: number; readonly name: string }>> = {
  token: ({ tokenId, tokenName }) => ({ id: tokenId, name: `token "${tokenName}"` }),
  user: ({ userId, username }) => ({ id: userId, name: `user ${username}` }),
  team: ({ teamId, teamName }) => ({ id: teamId, name: `team "${teamName}"` }),
  member: ({ memberId, username, teamName }) => ({
    id: memberId,
    name: `member ${username} in the team "${teamName}"`,
  }),
}

/** Notifies a budget's owners when 80 % or all of it is used: once a period, whatever runs in parallel. */
export function createBudgetReminder(ctx: Context): RelayObserver {
  const done = new Map<string, number>()
  return ({ request: { caller }, result: { paid, budgets } }) => {
    if (paid === 0) return
    for (const state of budgets) {
      const share = state.used / state.budget
      if (share < 0.8) continue
      const percent = share >= 1 ? 100 : 80
      const key = `${state.kind}:${owners[state.kind](caller).id}:${percent}`
      if (done.get(key) === state.from) continue
      if (done.size >= rememberedMax) done.clear()
      done.set(key, state.from)
      remind(ctx, caller, state, percent).catch((cause) => {
        done.delete(key)
        ctx.log.warn('a warning of a budget could not be sent', { budget: key, cause })
      })
    }
  }
}

async function remind(ctx: Context, caller: Caller, state: BudgetState, percent: 80 | 100): Promise<void> {
  const { db } = ctx.database
  const options = ctx.options()
  const { id, name } = owners[state.kind](caller)
  const people = state.kind === 'team' ? await managersOf(db, caller.teamId) : [caller.email].filter(Boolean)
  const recipients = canSendMail(options) ? people : []
  const warnedAt = recipients.length > 0 ? epochSeconds(ctx) : 0
  const warning = { kind: state.kind, id, percent }
  if (!(await claimBudgetWarning(db, warning, { period: state.from, warnedAt }))) return
  const words = percent === 100 ? 'is used up' : `is used to ${percent} %`
  const title = `The budget of the ${name} at ${options.SystemName} ${words}`
  const spell = (quota: number) => spellAmount(options, quota)
  const content = `${spell(state.used)} of ${spell(state.budget)} are used. It begins anew at ${new Date(state.resetsAt * 1000).toISOString()}.`
  if (options.MessagePusherAddress !== '' && isSetByAdministrators(state.kind, caller))
    await notifyRoot(ctx, { kind: 'budget', title, content })
  const sent = await Promise.allSettled(recipients.map((to) => sendMail(ctx, noticeMail({ to, title, content }))))
  const [first] = sent
  if (first?.status !== 'rejected' || sent.some(({ status }) => status === 'fulfilled')) return
  await releaseBudgetWarning(db, warning)
  throw first.reason
}

/** Whoever sets a budget also finds words for its name: the operator is notified of those that administrators set. */
const isSetByAdministrators = (kind: AccountKind, { isAdmin }: Caller): boolean =>
  kind === 'user' || (kind === 'token' && isAdmin)
