import type { PeriodOf } from '#server/lib/calendar.ts'
import {
  type Account,
  type AccountKind,
  accountKinds,
  byKind,
  countsIn,
  idOf,
  involved,
  type Party,
  roll,
} from './account.ts'
import { type Admission, admit, type Changes, type Hold, type Known } from './decide.ts'
import type { HoldRequest, HoldResult } from './ledger.ts'

/** Reads an account as it is stored; undefined when there is none. */
export type Stored = (kind: AccountKind, id: number) => Account | undefined

type OpenHold = Hold & Party

/** Beyond this many the balances are read again; holds are never forgotten. */
const rememberedMax = 50_000

/** What a hold has taken of the balance of an account. */
const takenFrom: Readonly<Record<AccountKind, (hold: Hold) => number>> = {
  user: ({ amount }) => amount,
  token: ({ tokenAmount }) => tokenAmount,
  team: ({ teamAmount }) => teamAmount,
  member: () => 0,
}

/**
 * What the one process that serves a SQLite file knows by heart: the holds of the running requests, and the balances of those
 * who send them, what they hold taken off. Balances are copies and may be forgotten at any moment; holds exist nowhere else.
 */
export interface Accounts {
  readonly accounts: Known['accounts']
  readonly holds: ReadonlyMap<string, OpenHold>
  /** Null when the balances it takes are not known. */
  reserve(request: HoldRequest): HoldResult | null
  /** The same once all has been learned: what is not known now is not there. */
  reserveLearned(request: HoldRequest): HoldResult
  /** Makes the balances of all these known, as far as they are there. */
  learn(parties: readonly Party[], stored: Stored): void
  /** A commit has changed these balances and closed these holds. */
  settled(changes: Pick<Changes, 'accounts' | 'closedHolds'>): void
  /** How many requests run on an account, and what they hold of its balance. */
  heldOf(kind: AccountKind, id: number): { readonly count: number; readonly amount: number }
  /** Somebody else may have changed balances. */
  forget(): void
  /** Forgets when the file has another version than last time: another process has written. */
  follow(version: number | undefined): void
}

export function createAccounts(periodOf: PeriodOf): Accounts {
  const accounts = byKind(() => new Map<number, Account>())
  const holds = new Map<string, OpenHold>()
  const openOf = byKind(() => new Map<number, Set<OpenHold>>())
  let seenVersion: number | undefined
  const forget = () => {
    for (const kind of accountKinds) accounts[kind].clear()
  }
  const find = (kind: AccountKind, id: number) => accounts[kind].get(id)

  const keep = (request: HoldRequest, admission: Admission): HoldResult => {
    if (!('hold' in admission)) return admission.result
    const { id, userId, tokenId, teamId, memberId } = request
    const hold: OpenHold = { userId, tokenId, teamId, memberId, ...admission.hold }
    holds.set(id, hold)
    for (const kind of accountKinds) {
      const owner = idOf[kind](hold)
      if (owner === 0) continue
      const open = openOf[kind].get(owner)
      if (open) open.add(hold)
      else openOf[kind].set(owner, new Set([hold]))
    }
    return admission.result
  }

  const drop = (id: string) => {
    const hold = holds.get(id)
    if (!hold) return
    holds.delete(id)
    for (const kind of accountKinds) {
      const open = openOf[kind].get(idOf[kind](hold))
      if (!open?.delete(hold)) continue
      if (open.size === 0) openOf[kind].delete(idOf[kind](hold))
    }
  }

  /** What is stored, less what running requests hold of it. */
  const withHolds = (kind: AccountKind, id: number, stored: Account): Account => {
    const open = openOf[kind].get(id)
    if (!open) return stored
    for (const hold of open) roll(stored, hold.at, periodOf)
    for (const hold of open) {
      stored.balance -= takenFrom[kind](hold)
      if (countsIn(stored, hold.at)) stored.budgetHeld += hold.budgetAmount
    }
    return stored
  }

  return {
    accounts,
    holds,
    reserve(request) {
      const who = involved(request, find)
      if (!who.user || !who.token || (request.teamId > 0 && !(who.team && who.member))) return null
      return keep(request, admit(request, who, periodOf))
    },
    reserveLearned: (request) => keep(request, admit(request, involved(request, find), periodOf)),
    learn(parties, stored) {
      if (accountKinds.reduce((sum, kind) => sum + accounts[kind].size, 0) >= rememberedMax) forget()
      for (const party of parties) {
        for (const kind of accountKinds) {
          const id = idOf[kind](party)
          if (id === 0 || accounts[kind].has(id)) continue
          const account = stored(kind, id)
          if (account) accounts[kind].set(id, withHolds(kind, id, account))
        }
      }
    },
    settled(changes) {
      for (const kind of accountKinds) {
        for (const [id, account] of changes.accounts[kind]) accounts[kind].set(id, account)
      }
      for (const id of changes.closedHolds) drop(id)
    },
    heldOf(kind, id) {
      const open = openOf[kind].get(id)
      let amount = 0
      for (const hold of open ?? []) amount += takenFrom[kind](hold)
      return { count: open?.size ?? 0, amount }
    },
    forget,
    follow(version) {
      if (version !== seenVersion) forget()
      seenVersion = version
    },
  }
}
