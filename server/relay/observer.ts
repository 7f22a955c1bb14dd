import type { SettleResult } from '#server/billing/ledger.ts'
import type { Charge } from '#server/billing/price.ts'
import type { RelayedRequest } from './relayed-request.ts'
import type { Outcome } from './settle.ts'

/** A request that has come to its end, for whoever counts, measures or reminds. */
export interface Settled {
  readonly request: RelayedRequest
  readonly outcome: Outcome
  readonly charge: Charge | null
  readonly result: SettleResult
  readonly durationMs: number
}

/** Hears of every settled request. Must not throw and must not block. */
export type RelayObserver = (settled: Settled) => void
