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

/** Asks to hold money for a request. At least `least` must be there; up to `wanted` is taken when it is. */
export interface HoldRequest extends Party {
  /** The request id. */
  readonly id: string
  readonly least: number
  readonly wanted: number
  readonly at: number
  /** Null for a caller without limits. */
  readonly limits: LimitRequest | null
  /** It outlives the process that asks: only a settlement closes it, and it counts on no limit of parallel requests. */
  readonly lasting?: boolean
}

/** Refused by a limit, and what the caller may read about it. */
export interface RefusedByLimit {
  readonly by: LimitRefused
  readonly left: LimitsLeft
}

/** Asks to send a running request through a channel that has limits. */
export interface ChannelEntry {
  /** The request id. */
  readonly id: string
  readonly limits: LimitRequest
  readonly channelId: number
  /** What an attempt before was counted for on its channel and did not use. */
  readonly before: Correction | null
}

export type EntryResult =
  | {
      readonly ok: true
      readonly at: number
      /** The limit that lets nobody else in now. */
      readonly full: LimitRefused | null
    }
  | ({ readonly ok: false; readonly lacking: 'limit' } & RefusedByLimit)

/** What counts on limits right now. */
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
      /** `caller`: the user, the token or the member is not there any more. */
      readonly lacking: PurseName | 'caller'
      readonly available: number
      /** When the budget that lacks begins anew; 0 for what does not. */
      readonly resetsAt: number
    }

/** A row to write; its quota is what the ledger takes, and it fills that in. */
export type RequestLog = Omit<LogsTable, 'id'>

/** Closes a hold: takes the charge, gives the rest back, counts, and writes the log row, all at once. */
export interface Settlement extends Party {
  readonly id: string
  /** 0 when the request costs nothing. */
  readonly charge: number
  readonly channelId: number
  /** Whether it counts as a request of the user. */
  readonly counts: boolean
  /** Null when there is nothing to write down. */
  readonly log: RequestLog | null
  /** The row counts in the usage and is kept nowhere else. */
  readonly unlogged?: boolean
  readonly at: number
  /** When the request was admitted, should its hold be gone. */
  readonly admittedAt: number
  /** The answer waits for this: with its hold taken back meanwhile, it is paid in full or not at all. */
  readonly onlyInFull?: boolean
  /** The caller was refused: what a commit whose answer was lost may have taken is given back. */
  readonly refund?: boolean
  /** What it used against what it was estimated to, for the limits it was counted by. */
  readonly corrections: readonly Correction[]
}

export interface SettleResult {
  /** What was really taken; less than the charge when the balance ran out. */
  readonly paid: number
  readonly shortfall: number
  /** Its hold was taken back before, as happens to a node that stood still. */
  readonly lostHold: boolean
  /** The wallet that paid, before this request's charge and after it. */
  readonly before: number
  readonly after: number
  /** The budgets it counted on. */
  readonly budgets: readonly BudgetState[]
}

/** The only writer of balances during requests. Every promise resolves after the commit is durable. */
export interface Ledger {
  /** Answers at once where the money can be held without asking anybody. */
  reserve(request: HoldRequest): HoldResult | Promise<HoldResult>
  /** Counts an attempt by the limits of its channel. */
  enter(entry: ChannelEntry): EntryResult | Promise<EntryResult>
  limitUse(kind: LimitedKind, id: number, now: number): Promise<LimitUse>
  /** Exactly once however often it is called with the same id. */
  settle(settlement: Settlement): Promise<SettleResult>
  /** Resolves when nothing is waiting any more. */
  drain(): Promise<void>
  /** How many operations wait for a commit right now. */
  depth(): number
  /** Holds kept in memory rather than in the database. */
  heldInMemory(): number
  /** The same of one account: how many requests run on it, and how much of its balance they hold. */
  heldInMemoryOf(kind: AccountKind, id: number): { readonly count: number; readonly amount: number }
}
