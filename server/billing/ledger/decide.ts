import type { HoldRequest, HoldResult, RequestLog, Settlement, SettleResult } from './ledger.ts'

export type LedgerTask =
  | { readonly type: 'reserve'; readonly request: HoldRequest }
  | { readonly type: 'settle'; readonly settlement: Settlement }

export interface UserBalance {
  quota: number
  usedQuota: number
  requestCount: number
}

export interface TokenBalance {
  remain: number
  unlimited: boolean
  usedQuota: number
  accessedTime: number
}

export interface Hold {
  readonly amount: number
  readonly tokenAmount: number
}

/** What a batch of operations needs to know, as the database has it under lock. */
export interface Known {
  readonly users: ReadonlyMap<number, UserBalance>
  readonly tokens: ReadonlyMap<number, TokenBalance>
  /** Open holds of the settlements in the batch. */
  readonly holds: ReadonlyMap<string, Hold>
  /** Ids without an open hold that were settled before. */
  readonly settled: ReadonlySet<string>
}

export interface NewHold extends Hold {
  readonly id: string
  readonly userId: number
  readonly tokenId: number
  readonly at: number
}

export interface NewEntry {
  readonly userId: number
  readonly tokenId: number
  readonly amount: number
  readonly tokenAmount: number
  readonly ref: string
  readonly at: number
}

/** Everything one durable commit writes. */
export interface Changes {
  readonly users: Map<number, UserBalance>
  readonly tokens: Map<number, TokenBalance>
  readonly channels: Map<number, number>
  readonly newHolds: NewHold[]
  readonly closedHolds: string[]
  readonly entries: NewEntry[]
  readonly logs: (RequestLog & { quota: number })[]
}

export interface Decision {
  readonly changes: Changes
  /** One result an operation, in order. */
  readonly results: (HoldResult | SettleResult)[]
}

/** The whole arithmetic of requests, one operation after the other on the balances known; pure. */
export function decide(operations: readonly LedgerTask[], known: Known): Decision {
  const changes: Changes = {
    users: new Map(),
    tokens: new Map(),
    channels: new Map(),
    newHolds: [],
    closedHolds: [],
    entries: [],
    logs: [],
  }
  const seen: Seen = { opened: new Map(), closed: new Set(), charged: new Set() }
  const results = operations.map((operation) =>
    operation.type === 'reserve'
      ? reserve(operation.request, known, changes, seen)
      : settle(operation.settlement, known, changes, seen),
  )
  return { changes, results }
}

/** What earlier operations of the same batch did to holds. */
interface Seen {
  readonly opened: Map<string, Hold>
  readonly closed: Set<string>
  readonly charged: Set<string>
}

function userOf(id: number, known: Known, changes: Changes): UserBalance | undefined {
  const changed = changes.users.get(id)
  if (changed) return changed
  const row = known.users.get(id)
  if (!row) return undefined
  const copy = { ...row }
  changes.users.set(id, copy)
  return copy
}

function tokenOf(id: number, known: Known, changes: Changes): TokenBalance | undefined {
  const changed = changes.tokens.get(id)
  if (changed) return changed
  const row = known.tokens.get(id)
  if (!row) return undefined
  const copy = { ...row }
  changes.tokens.set(id, copy)
  return copy
}

/** Whether a request may start, and how much is held for it. Takes it from the balances when it may. */
export function admit(
  request: HoldRequest,
  user: UserBalance | undefined,
  token: TokenBalance | undefined,
): HoldResult & Partial<Hold> {
  if (!user) return { ok: false, lacking: 'user', available: 0 }
  if (!token) return { ok: false, lacking: 'token', available: 0 }
  if (user.quota < request.least) return { ok: false, lacking: 'user', available: user.quota }
  if (!token.unlimited && token.remain < request.least) return { ok: false, lacking: 'token', available: token.remain }
  const held = Math.min(request.wanted, user.quota, token.unlimited ? request.wanted : token.remain)
  const tokenAmount = token.unlimited ? 0 : held
  user.quota -= held
  token.remain -= tokenAmount
  return { ok: true, held, amount: held, tokenAmount }
}

function reserve(request: HoldRequest, known: Known, changes: Changes, seen: Seen): HoldResult {
  const { id, userId, tokenId, at } = request
  const result = admit(request, userOf(userId, known, changes), tokenOf(tokenId, known, changes))
  if (!result.ok) return result
  const hold = { id, userId, tokenId, amount: result.held, tokenAmount: result.tokenAmount ?? 0, at }
  changes.newHolds.push(hold)
  seen.opened.set(id, hold)
  return { ok: true, held: result.held }
}

function settle(settlement: Settlement, known: Known, changes: Changes, seen: Seen): SettleResult {
  const { id, userId, tokenId, at } = settlement
  const hold = seen.closed.has(id) ? undefined : (known.holds.get(id) ?? seen.opened.get(id))
  const charge = known.settled.has(id) || seen.charged.has(id) ? 0 : settlement.charge
  if (!hold && charge === 0) return { paid: 0, shortfall: 0, before: 0, after: 0 }
  const user = userOf(userId, known, changes)
  const token = tokenOf(tokenId, known, changes)
  if (hold) {
    changes.closedHolds.push(id)
    seen.closed.add(id)
  }
  const before = (user?.quota ?? 0) + (hold?.amount ?? 0)
  const onToken = (token?.remain ?? 0) + (hold?.tokenAmount ?? 0)
  const paid = user ? Math.max(0, Math.min(charge, before)) : 0
  // A token that has less left than was used goes down to zero; its user pays all of it.
  const tokenPaid = token && !token.unlimited ? Math.max(0, Math.min(paid, onToken)) : 0
  if (user) {
    user.quota = before - paid
    user.usedQuota += paid
    user.requestCount += settlement.counts ? 1 : 0
  }
  if (token) {
    token.remain = onToken - tokenPaid
    token.usedQuota += paid
    token.accessedTime = at
  }
  if (paid > 0 && settlement.channelId > 0) {
    changes.channels.set(settlement.channelId, (changes.channels.get(settlement.channelId) ?? 0) + paid)
  }
  // Also a charge nothing could be taken for is written down: it must not be tried again.
  if (user && charge > 0) {
    changes.entries.push({ userId, tokenId, amount: 0 - paid, tokenAmount: 0 - tokenPaid, ref: id, at })
    seen.charged.add(id)
  }
  const shortfall = charge - paid
  if (settlement.log && user) changes.logs.push({ ...withShortfall(settlement.log, shortfall), quota: paid })
  return { paid, shortfall, before, after: before - paid }
}

/** What could not be taken is written on the row. */
function withShortfall(log: RequestLog, shortfall: number): RequestLog {
  if (shortfall <= 0) return log
  return { ...log, detail: JSON.stringify({ ...JSON.parse(log.detail || '{}'), shortfall }) }
}
