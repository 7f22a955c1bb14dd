import { type Correction, countAll, type LimitBook, leftOf, refusedBy } from '#server/billing/limits/limit-check.ts'
import type { PeriodOf } from '#server/lib/time/calendar.ts'
import {
  type Account,
  type AccountKind,
  type AccountsById,
  accountKinds,
  byKind,
  type Involved,
  involved,
  type Party,
  roll,
} from './account.ts'
import type {
  ChannelEntry,
  EntryResult,
  HoldRequest,
  HoldResult,
  RequestLog,
  Settlement,
  SettleResult,
} from './ledger.ts'
import { budgetsOf, type PurseName, pursesOf, walletOf } from './purses.ts'
import { countOnBudgets, countRequest, settleToken, withShortfall } from './settle-accounts.ts'

export type LedgerTask =
  | { readonly type: 'reserve'; readonly request: HoldRequest }
  | { readonly type: 'settle'; readonly settlement: Settlement }
  | { readonly type: 'enter'; readonly entry: ChannelEntry }

/** What a running request holds: of the wallet that pays, of its token, and of every budget that counts it. */
export interface Hold {
  readonly amount: number
  readonly teamAmount: number
  readonly tokenAmount: number
  readonly budgetAmount: number
  /** When it was admitted. */
  readonly at: number
}

/** What is read from the database, under locks, to decide a batch of operations. */
export interface Known {
  readonly accounts: AccountsById
  /** Open holds of the settlements in the batch. */
  readonly holds: ReadonlyMap<string, Hold>
  /**
   * For requests without an open hold: entries that exist already, by their ref. Null where a commit's result is always known to
   * its writer; then no charge has to be given back.
   */
  readonly settled: ReadonlyMap<string, Booked | null>
  readonly periodOf: PeriodOf
  readonly limits: LimitBook
}

/** What an entry took or gave. */
export type Booked = Pick<NewEntry, 'amount' | 'teamAmount' | 'tokenAmount'>

/** The ref of the entry that gives a charge back. */
export const refundRef = (id: string): string => `${id}:refund`

export interface NewHold extends Hold, Party {
  readonly id: string
  readonly lasting: boolean
}

export interface NewEntry extends Omit<Party, 'memberId'> {
  readonly amount: number
  readonly teamAmount: number
  readonly tokenAmount: number
  readonly ref: string
  readonly at: number
  readonly admittedAt: number
}

/** Everything one durable commit writes. */
export interface Changes {
  readonly accounts: Readonly<Record<AccountKind, Map<number, Account>>>
  readonly channels: Map<number, number>
  readonly newHolds: NewHold[]
  readonly closedHolds: string[]
  readonly entries: NewEntry[]
  /** Requests by the channel with limits they go through. */
  readonly entered: Map<string, number>
  readonly corrections: Correction[]
  readonly logs: RequestLog[]
  /** Rows that count in the usage and are not stored. */
  readonly unlogged: RequestLog[]
}

export type LedgerResult = HoldResult | SettleResult | EntryResult

export interface Decision {
  readonly changes: Changes
  /** One result for each operation, in order. */
  readonly results: LedgerResult[]
}

/**
 * All arithmetic of requests: one operation after the other, on the known balances. Of its arguments it changes only the quota of
 * log rows.
 */
export function decide(operations: readonly LedgerTask[], known: Known): Decision {
  const changes: Changes = {
    accounts: byKind(() => new Map<number, Account>()),
    channels: new Map(),
    newHolds: [],
    closedHolds: [],
    entries: [],
    entered: new Map(),
    corrections: [],
    logs: [],
    unlogged: [],
  }
  const seen: Seen = { find: accountsIn(known, changes), opened: new Map(), closed: new Set(), charged: new Set() }
  const results = operations.map((operation): LedgerResult => {
    if (operation.type === 'reserve') return reserve(operation.request, known, changes, seen)
    if (operation.type === 'settle') return settle(operation.settlement, known, changes, seen)
    return decideEntry(operation.entry, known, changes)
  })
  return { changes, results }
}

function decideEntry(entry: ChannelEntry, known: Known, changes: Changes): EntryResult {
  const result = admitToChannel(entry, known.limits)
  if (!result.ok) return result
  if (entry.before) changes.corrections.push(entry.before)
  changes.entered.set(entry.id, entry.channelId)
  return result
}

/** Whether the limits of a channel let a request through; it is counted when they do. */
export function admitToChannel({ limits }: ChannelEntry, book: LimitBook): EntryResult {
  const by = refusedBy(limits, book)
  if (by) return { ok: false, lacking: 'limit', by, left: leftOf(limits, book) }
  const { at, ...left } = countAll(limits, book)
  return { ok: true, at, left, full: refusedBy({ ...limits, tokens: 0 }, book) }
}

/** Changes of earlier operations in the same batch. */
interface Seen {
  find(kind: AccountKind, id: number): Account | undefined
  readonly opened: Map<string, Hold>
  readonly closed: Set<string>
  readonly charged: Set<string>
}

/** Accounts after the batch's operations so far; changes are made on copies. */
const accountsIn =
  (known: Known, changes: Changes): Seen['find'] =>
  (kind, id) => {
    const changed = changes.accounts[kind].get(id)
    if (changed) return changed
    const row = known.accounts[kind].get(id)
    if (!row) return undefined
    const copy = { ...row }
    changes.accounts[kind].set(id, copy)
    return copy
  }

export type Admission =
  | { readonly result: HoldResult & { ok: false } }
  | { readonly result: HoldResult & { ok: true }; readonly hold: Hold }

const lacking = (name: PurseName | 'caller', available = 0, resetsAt = 0): Admission => ({
  result: { ok: false, lacking: name, available, resetsAt },
})

/** Whether a request may start, and how much is held for it. Takes it from all its purses when it may. */
export function admit(request: HoldRequest, who: Involved, periodOf: PeriodOf, book: LimitBook): Admission {
  const { teamId, least, wanted, limits } = request
  const { user, token, team, member } = who
  const wallet = teamId > 0 ? team : user
  if (!user || !token || !wallet || (teamId > 0 && !member)) return lacking('caller')
  const by = limits && refusedBy(limits, book)
  if (by) return { result: { ok: false, lacking: 'limit', by, left: leftOf(limits, book) } }
  // With a clock that is behind, the request still counts in the period other nodes have begun.
  let { at } = request
  for (const kind of accountKinds) at = Math.max(at, who[kind]?.budgetFrom ?? 0)
  for (const kind of accountKinds) {
    const account = who[kind]
    if (account) roll(account, at, periodOf)
  }
  let held = wanted
  for (const { name, available, resetsAt } of pursesOf(who, teamId)) {
    if (available < least) return lacking(name, available, resetsAt)
    held = Math.min(held, available)
  }
  const tokenAmount = token.unlimited ? 0 : held
  wallet.balance -= held
  token.balance -= tokenAmount
  for (const kind of accountKinds) {
    const account = who[kind]
    if (account) account.budgetHeld += held
  }
  const amount = teamId > 0 ? 0 : held
  return {
    result: { ok: true, held, limits: limits && countAll(limits, book) },
    hold: { amount, teamAmount: held - amount, tokenAmount, budgetAmount: held, at },
  }
}

function reserve(request: HoldRequest, known: Known, changes: Changes, seen: Seen): HoldResult {
  const { id, userId, tokenId, teamId, memberId, lasting = false } = request
  const admission = admit(request, involved(request, seen.find), known.periodOf, known.limits)
  if (!('hold' in admission)) return admission.result
  changes.newHolds.push({ id, userId, tokenId, teamId, memberId, lasting, ...admission.hold })
  seen.opened.set(id, admission.hold)
  return admission.result
}

function settle(settlement: Settlement, known: Known, changes: Changes, seen: Seen): SettleResult {
  const { id, userId, tokenId, teamId, at } = settlement
  const hold = seen.closed.has(id) ? undefined : (known.holds.get(id) ?? seen.opened.get(id))
  const charge = known.settled.has(id) || seen.charged.has(id) ? 0 : settlement.charge
  const booked = settlement.refund && !hold ? known.settled.get(id) : undefined
  if (booked && !known.settled.has(refundRef(id)) && !seen.charged.has(refundRef(id))) {
    seen.charged.add(refundRef(id))
    return giveBack(settlement, booked, { known, changes, seen })
  }
  if (!hold && charge === 0) return nothingTaken
  const who = involved(settlement, seen.find)
  const lostHold = !hold
  if (lostHold && settlement.onlyInFull && (walletOf(who, teamId)?.balance ?? 0) < charge) {
    return { ...nothingTaken, shortfall: charge, lostHold }
  }
  if (hold) {
    changes.closedHolds.push(id)
    seen.closed.add(id)
    changes.corrections.push(...settlement.corrections)
  }
  const wallet = walletOf(who, teamId)
  const before = (wallet?.balance ?? 0) + (hold ? hold.amount + hold.teamAmount : 0)
  const paid = wallet ? Math.max(0, Math.min(charge, before)) : 0
  const tokenPaid = settleToken(who.token, hold, paid, at)
  if (wallet) wallet.balance = before - paid
  countRequest(who, teamId, paid, settlement.counts ? 1 : 0)
  const admittedAt = hold?.at ?? settlement.admittedAt
  countOnBudgets(who, { hold, paid, admittedAt, periodOf: known.periodOf })
  if (paid > 0 && settlement.channelId > 0) {
    changes.channels.set(settlement.channelId, (changes.channels.get(settlement.channelId) ?? 0) + paid)
  }
  // A charge of which nothing could be taken is written too, so that it is not tried again.
  if (wallet && charge > 0) {
    const amount = teamId > 0 ? 0 : 0 - paid
    const teamAmount = teamId > 0 ? 0 - paid : 0
    const tokenAmount = 0 - tokenPaid
    changes.entries.push({ userId, tokenId, teamId, amount, teamAmount, tokenAmount, ref: id, at, admittedAt })
    seen.charged.add(id)
  }
  const shortfall = charge - paid
  if (settlement.log && who.user) {
    const rows = settlement.unlogged ? changes.unlogged : changes.logs
    const log = withShortfall(settlement.log, shortfall)
    log.quota = paid
    rows.push(log)
  }
  return { paid, shortfall, lostHold, before, after: before - paid, budgets: budgetsOf(who) }
}

interface Batch {
  readonly known: Known
  readonly changes: Changes
  readonly seen: Seen
}

const nothingTaken: SettleResult = { paid: 0, shortfall: 0, lostHold: false, before: 0, after: 0, budgets: [] }

/** Undoes a charge whose commit was not known to have happened: purses, counters, entry and row. */
function giveBack(settlement: Settlement, booked: Booked, { known, changes, seen }: Batch): SettleResult {
  const { id, userId, tokenId, teamId, at, admittedAt } = settlement
  const who = involved(settlement, seen.find)
  const paid = 0 - booked.amount - booked.teamAmount
  const wallet = walletOf(who, teamId)
  const before = wallet?.balance ?? 0
  if (wallet) wallet.balance += paid
  if (who.token) {
    who.token.balance -= booked.tokenAmount
    who.token.usedQuota -= paid
  }
  countRequest(who, teamId, 0 - paid, -1)
  countOnBudgets(who, { paid: 0 - paid, admittedAt, periodOf: known.periodOf })
  if (settlement.channelId > 0) {
    changes.channels.set(settlement.channelId, (changes.channels.get(settlement.channelId) ?? 0) - paid)
  }
  const entry = { userId, tokenId, teamId, amount: 0 - booked.amount, teamAmount: 0 - booked.teamAmount }
  changes.entries.push({ ...entry, tokenAmount: 0 - booked.tokenAmount, ref: refundRef(id), at, admittedAt })
  if (settlement.log && who.user) {
    const rows = settlement.unlogged ? changes.unlogged : changes.logs
    rows.push({ ...settlement.log, quota: 0 - paid })
  }
  return { ...nothingTaken, paid: 0 - paid, before, after: before + paid }
}
