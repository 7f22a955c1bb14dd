import { admit, type Changes, type Hold, type TokenBalance, type UserBalance } from './decide.ts'
import type { HoldRequest, HoldResult } from './ledger.ts'

/** Reads a balance as it is stored; undefined when there is no such user or token. */
export interface Stored {
  user(id: number): UserBalance | undefined
  token(id: number): TokenBalance | undefined
}

export interface Party {
  readonly userId: number
  readonly tokenId: number
}

type OpenHold = Hold & Party

/** Beyond this many the balances are read again; holds are never forgotten. */
const rememberedMax = 50_000

function move(sums: Map<number, number>, id: number, amount: number): void {
  const sum = (sums.get(id) ?? 0) + amount
  if (sum === 0) sums.delete(id)
  else sums.set(id, sum)
}

/**
 * What the one process that serves a SQLite file knows by heart: the holds of the running requests, and the balances of those
 * who send them, what they hold taken off. Balances are copies and may be forgotten at any moment; holds exist nowhere else.
 */
export interface Accounts {
  readonly users: ReadonlyMap<number, UserBalance>
  readonly tokens: ReadonlyMap<number, TokenBalance>
  readonly holds: ReadonlyMap<string, OpenHold>
  /** Null when the balances it takes are not known. */
  reserve(request: HoldRequest): HoldResult | null
  /** Makes the balances of all these known, as far as they are there. */
  learn(parties: readonly Party[], stored: Stored): void
  /** A commit has changed these balances and closed these holds. */
  settled({ users, tokens, closedHolds }: Pick<Changes, 'users' | 'tokens' | 'closedHolds'>): void
  /** Somebody else may have changed balances. */
  forget(): void
  /** Forgets when the file has another version than last time: another process has written. */
  follow(version: number | undefined): void
}

export function createAccounts(): Accounts {
  const users = new Map<number, UserBalance>()
  const tokens = new Map<number, TokenBalance>()
  const holds = new Map<string, OpenHold>()
  const byUser = new Map<number, number>()
  const byToken = new Map<number, number>()
  let seenVersion: number | undefined
  const forget = () => {
    users.clear()
    tokens.clear()
  }
  return {
    users,
    tokens,
    holds,
    reserve(request) {
      const { id, userId, tokenId } = request
      const user = users.get(userId)
      const token = tokens.get(tokenId)
      if (!user || !token) return null
      const result = admit(request, user, token)
      if (!result.ok) return result
      const hold = { userId, tokenId, amount: result.held, tokenAmount: result.tokenAmount ?? 0 }
      holds.set(id, hold)
      move(byUser, userId, hold.amount)
      move(byToken, tokenId, hold.tokenAmount)
      return { ok: true, held: result.held }
    },
    learn(parties, stored) {
      if (users.size + tokens.size >= rememberedMax) forget()
      for (const { userId, tokenId } of parties) {
        const user = users.has(userId) ? undefined : stored.user(userId)
        if (user) users.set(userId, { ...user, quota: user.quota - (byUser.get(userId) ?? 0) })
        const token = tokens.has(tokenId) ? undefined : stored.token(tokenId)
        if (token) tokens.set(tokenId, { ...token, remain: token.remain - (byToken.get(tokenId) ?? 0) })
      }
    },
    settled(changes) {
      for (const [id, user] of changes.users) users.set(id, user)
      for (const [id, token] of changes.tokens) tokens.set(id, token)
      for (const id of changes.closedHolds) {
        const hold = holds.get(id)
        if (!hold) continue
        holds.delete(id)
        move(byUser, hold.userId, -hold.amount)
        move(byToken, hold.tokenId, -hold.tokenAmount)
      }
    },
    forget,
    follow(version) {
      if (version !== seenVersion) forget()
      seenVersion = version
    },
  }
}
