import type { LimitBook, LimitedKind } from '#server/billing/limits/limit-check.ts'
import { createMemoryLimits, type MemoryLimits } from '#server/billing/limits/memory-limits.ts'
import type { PeriodOf } from '#server/lib/time/calendar.ts'
import { type Account, type AccountKind, accountKinds, byKind, idOf, involved, type Party } from '../account.ts'
import { type Admission, admit, admitToChannel, type Changes, type Known } from '../decide.ts'
import type { ChannelEntry, EntryResult, HoldRequest, HoldResult, LimitUse } from '../ledger.ts'
import { createOpenHolds, type OpenHolds, openHold } from './open-holds.ts'

/** Reads an account as it is stored; undefined when there is none. */
export type ReadAccount = (kind: AccountKind, id: number) => Account | undefined

/** Beyond this many the balances are read again; holds are never forgotten. */
const rememberedMax = 50_000

/**
 * What the process that serves a SQLite file keeps in memory: the holds of running requests, and the balances of their callers
 * less those holds. Balances are copies and may be dropped at any moment; holds exist nowhere else.
 */
export interface Accounts extends Pick<OpenHolds, 'holds' | 'heldOf' | 'memberIn'> {
  readonly accounts: Known['accounts']
  readonly limits: LimitBook
  /** Counts by limits what was admitted before this process began. */
  readonly recallLimits: MemoryLimits['recall']
  /** Null when the balances it takes are not known. */
  reserve(request: HoldRequest): HoldResult | null
  /** The same after everything was read: an account that is not known now does not exist. */
  reserveLearned(request: HoldRequest): HoldResult
  /** Counts an attempt by the limits of its channel. */
  enter(entry: ChannelEntry): EntryResult
  limitUse(kind: LimitedKind, id: number, now: number): LimitUse
  /** Makes the balances of all these known, as far as they are there. */
  learn(parties: readonly Party[], stored: ReadAccount): void
  /** A commit has changed these balances and closed these holds. */
  settled(changes: Pick<Changes, 'accounts' | 'closedHolds' | 'corrections'>): void
  /** Somebody else may have changed balances. */
  forget(): void
  /** Forgets when the file has another version than last time: another process has written. */
  follow(version: number | undefined): void
}

export function createAccounts(periodOf: PeriodOf): Accounts {
  const accounts = byKind(() => new Map<number, Account>())
  const open = createOpenHolds(periodOf)
  const limits = createMemoryLimits(open.running)
  let seenVersion: number | undefined
  const forget = () => {
    for (const kind of accountKinds) accounts[kind].clear()
  }
  const find = (kind: AccountKind, id: number) => accounts[kind].get(id)

  const keep = (request: HoldRequest, admission: Admission): HoldResult => {
    if (!('hold' in admission)) return admission.result
    open.open(request.id, openHold(request, admission.hold))
    return admission.result
  }

  return {
    accounts,
    limits,
    recallLimits: limits.recall,
    holds: open.holds,
    heldOf: open.heldOf,
    memberIn: open.memberIn,
    reserve(request) {
      const who = involved(request, find)
      if (!who.user || !who.token || (request.teamId > 0 && !(who.team && who.member))) return null
      return keep(request, admit(request, who, periodOf, limits))
    },
    reserveLearned: (request) => keep(request, admit(request, involved(request, find), periodOf, limits)),
    enter(entry) {
      const result = admitToChannel(entry, limits)
      if (!result.ok) return result
      if (entry.before) limits.correctAll([entry.before])
      open.goThrough(entry.id, entry.channelId)
      return result
    },
    limitUse: (kind, id, now) => ({ ...limits.useOf(kind, id, now), running: open.running(kind, id) }),
    learn(parties, stored) {
      if (accountKinds.reduce((sum, kind) => sum + accounts[kind].size, 0) >= rememberedMax) forget()
      for (const party of parties) {
        for (const kind of accountKinds) {
          const id = idOf[kind](party)
          if (id === 0 || accounts[kind].has(id)) continue
          const account = stored(kind, id)
          if (account) accounts[kind].set(id, open.takeOff(kind, id, account))
        }
      }
    },
    settled(changes) {
      for (const kind of accountKinds) {
        for (const [id, account] of changes.accounts[kind]) accounts[kind].set(id, account)
      }
      for (const id of changes.closedHolds) open.close(id)
      limits.correctAll(changes.corrections)
    },
    forget,
    follow(version) {
      if (version !== seenVersion) forget()
      seenVersion = version
    },
  }
}
