import type { SettleResult } from '#server/billing/ledger/ledger.ts'
import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import type { Charge } from '#server/billing/pricing/price.ts'
import type { Outcome, SettledRequest } from '#server/relay/relayed-request.ts'

/** A request that has ended, as observers see it. */
export interface Settled {
  readonly request: SettledRequest
  readonly outcome: Outcome
  readonly charge: Charge | null
  /** Null when it was not sold by the token, or cost nothing. */
  readonly usage: BillableUsage | null
  readonly result: SettleResult
  readonly durationMs: number
}

/** Called with every settled request. Must not throw and must not block. */
export type RelayObserver = (settled: Settled) => void
