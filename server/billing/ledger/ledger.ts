import type { LogsTable } from '#server/db/tables.ts'

/** Asks to hold money for a request. At least `least` must be there; up to `wanted` is taken when it is. */
export interface HoldRequest {
  /** The request id. */
  readonly id: string
  readonly userId: number
  readonly tokenId: number
  readonly least: number
  readonly wanted: number
  readonly at: number
}

export type HoldResult =
  | { readonly ok: true; readonly held: number }
  | { readonly ok: false; readonly lacking: 'user' | 'token'; readonly available: number }

export type RequestLog = Omit<LogsTable, 'id' | 'quota'>

/** Closes a hold: takes the charge, gives the rest back, counts, and writes the log row, all at once. */
export interface Settlement {
  readonly id: string
  readonly userId: number
  readonly tokenId: number
  /** 0 when the request costs nothing. */
  readonly charge: number
  readonly channelId: number
  /** Whether it counts as a request of the user. */
  readonly counts: boolean
  /** Null when consumption is not to be logged. */
  readonly log: RequestLog | null
  readonly at: number
}

export interface SettleResult {
  /** What was really taken; less than the charge when the balance ran out. */
  readonly paid: number
  readonly shortfall: number
  /** The balance before this request's charge and after it. */
  readonly before: number
  readonly after: number
}

/** The only writer of balances during requests. Every promise resolves after the commit is durable. */
export interface Ledger {
  /** Answers at once where the money can be held without asking anybody. */
  reserve(request: HoldRequest): HoldResult | Promise<HoldResult>
  /** Exactly once however often it is called with the same id. */
  settle(settlement: Settlement): Promise<SettleResult>
  /** Resolves when nothing is waiting any more. */
  drain(): Promise<void>
  /** How many operations wait for a commit right now. */
  depth(): number
  /** Holds kept in memory rather than in the database. */
  heldInMemory(): number
}
