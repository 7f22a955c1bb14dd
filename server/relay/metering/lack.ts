import type { HoldResult } from '#server/billing/ledger/ledger.ts'
import { type SpelledBy, shownAmount } from '#server/billing/pricing/spell-amount.ts'
import { type RefusalName, type RelayFault, refuse } from '#server/relay/refusals.ts'
import type { Caller } from '#server/relay/request/caller.ts'

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

/** Why a request cannot be paid: which purse lacks what, as the operator shows it, and when a budget begins anew. */
export function refuseForLack(
  { lacking, available, resetsAt }: Lack,
  caller: Caller,
  needed: number,
  options: SpelledBy,
): RelayFault {
  return refuse(refusals[lacking], {
    token: caller.tokenName,
    user: caller.username,
    team: caller.teamName,
    available: shownAmount(options, Math.max(0, available)),
    needed: shownAmount(options, needed),
    reset: isoDate(resetsAt),
  })
}
