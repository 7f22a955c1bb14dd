import type { HoldResult } from '#server/billing/ledger/ledger.ts'
import { spellAmount } from '#server/billing/pricing/spell-amount.ts'
import { type RefusalName, type RelayFault, refuse } from '#server/relay/refusals.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { OptionValues } from '#shared/options.ts'

type Lack = Exclude<Extract<HoldResult, { readonly ok: false }>, { readonly lacking: 'limit' }>

const refusals: Readonly<Record<Lack['lacking'], RefusalName>> = {
  caller: 'keyInvalid',
  user: 'userExhausted',
  team: 'teamExhausted',
  token: 'tokenExhausted',
  'token budget': 'tokenBudgetExceeded',
  'user budget': 'userBudgetExceeded',
  'team budget': 'teamBudgetExceeded',
  'member budget': 'memberBudgetExceeded',
}

const isoDate = (at: number): string => new Date(at * 1000).toISOString().replace('.000', '')

type Display = Pick<OptionValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>

/** Why a request cannot be paid: which purse lacks what, as the operator shows it, and when a budget begins anew. */
export function refuseForLack(
  { lacking, available, resetsAt }: Lack,
  caller: Caller,
  needed: number,
  options: Display,
): RelayFault {
  const amount = (quota: number) => (options.DisplayInCurrencyEnabled ? spellAmount(options, quota) : quota)
  return refuse(refusals[lacking], {
    token: caller.tokenName,
    user: caller.username,
    team: caller.teamName,
    available: amount(Math.max(0, available)),
    needed: amount(needed),
    reset: isoDate(resetsAt),
  })
}
