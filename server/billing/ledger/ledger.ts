import type {
  Correction,
  LimitAdmission,
  LimitedKind,
  LimitRefused,
  LimitRequest,
  LimitsLeft,
} from '#server/billing/limits/limit-check.ts'
import type { LogsTable } from '#server/db/logs/logs-table.ts'
import type { AccountKind, Party } from './account.ts'
import type { BudgetState, PurseName } from './purses.ts'

/** A request to hold money. At least `least` must be available; up to `wanted` is taken. */
export interface HoldRequest extends Party {
  /** The request id. */
  readonly id: string
  readonly least: number
  readonly wanted: number
  readonly at: number
  /** Null for a caller without limits. */
  readonly limits: LimitRequest | null
  /** It outlives this process: only a settlement closes it, and it does not count as a parallel request. */
  readonly lasting?: boolean
}

/** The limit that refused, and what is left of the caller's limits. */
export interface RefusedByLimit {
  readonly by: LimitRefused
  readonly left: LimitsLeft
}

/** A request to send a running request through a channel that has limits, or to count a call that holds nothing. */
export interface ChannelEntry {
  /** The request id. */
  readonly id: string
  readonly limits: LimitRequest
  /** 0: through none. */
  readonly channelId: number
  /** Takes back what an earlier attempt was counted for on its channel. */
  readonly before: Correction | null
}

export type EntryResult =
  | {
      readonly ok: true
      readonly at: number
      readonly left: LimitsLeft
      /** The limit that is reached with this request. */
      readonly full: LimitRefused | null
    }
  | ({ readonly ok: false; readonly lacking: 'limit' } & RefusedByLimit)

/** What limits count right now. */
export interface LimitUse {
  readonly requests: number
  readonly tokens: number
  readonly running: number
}

export type HoldResult =
  | { readonly ok: true; readonly held: number; readonly limits: LimitAdmission | null }
  | ({ readonly ok: false; readonly lacking: 'limit' } & RefusedByLimit)
  | {
      readonly ok: false
      /** `caller`: the user, the token or the member no longer exists. */
      readonly lacking: PurseName | 'caller'
      readonly available: number
      /** When the exhausted budget starts its next period; 0 for purses without one. */
      readonly resetsAt: number
    }

/** A row of the log; the ledger fills in its quota with what it takes. */
export type RequestLog = Omit<LogsTable, 'id'>

/** Closes a hold: takes the charge, gives the rest back, counts, and writes the log row, all at once. */
export interface Settlement extends Party {
  readonly id: string
  /** 0 when the request costs nothing. */
  readonly charge: number
  readonly channelId: number
  /** Whether it counts as a request of the user. */
  readonly counts: boolean
  /** Null when no row is written. */
  readonly log: RequestLog | null
  /** The row counts in the usage and is not stored. */
  readonly unlogged?: boolean
  readonly at: number
  /** When the request was admitted; needed where its hold is gone. */
  readonly admittedAt: number
  /** The answer is shown after this: if its hold was released meanwhile, it is paid in full or not at all. */
  readonly onlyInFull?: boolean
  /** The caller was refused: what an earlier commit with a lost result may have taken is refunded. */
  readonly refund?: boolean
  /** Used minus estimated tokens, for the limits that counted it. */
  readonly corrections: readonly Correction[]
}

export interface SettleResult {
  /** What was really taken; less than the charge when the balance ran out. */
  readonly paid: number
  readonly shortfall: number
  /** Its hold had been released, as happens to a node that was suspended. */
  readonly lostHold: boolean
  /** The wallet that paid, before this request's charge and after it. */
  readonly before: number
  readonly after: number
  /** The budgets that counted it. */
  readonly budgets: readonly BudgetState[]
}

/** What has been paid, and what is held for what goes on. */
export interface Renewed {
  readonly settled: SettleResult
  readonly held: HoldResult
}

/** The only writer of balances during requests. Every promise resolves after the commit is durable. */
export interface Ledger {
  /** Synchronous where the money can be held without the database. */
  reserve(request: HoldRequest): HoldResult | Promise<HoldResult>
  /** Counts an attempt against the limits of its channel. */
  enter(entry: ChannelEntry): EntryResult | Promise<EntryResult>
  limitUse(kind: LimitedKind, id: number, now: number): Promise<LimitUse>
  /** Exactly once however often it is called with the same id. */
  settle(settlement: Settlement): Promise<SettleResult>
  /** Settles and then holds for what goes on, so that nobody takes in between what the settlement gives back. */
  renew(settlement: Settlement, request: HoldRequest): Promise<Renewed>
  /** Resolves when no operation is waiting. */
  drain(): Promise<void>
  /** How many operations wait for a commit right now. */
  depth(): number
  /** Holds kept in memory rather than in the database. */
  heldInMemory(): number
  /** The same for one account: how many requests run on it, and how much of its balance they hold. */
  heldInMemoryOf(kind: AccountKind, id: number): { readonly count: number; readonly amount: number }
  /** The membership id under which a user's requests run on a team; 0 when none is kept in memory. */
  memberInMemory(user: number, team: number): number
}
