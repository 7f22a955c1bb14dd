import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createMemoryLimits } from '#server/billing/limits/memory-limits.ts'
import { createCalendar } from '#server/lib/calendar.ts'
import { type Account, byKind } from './account.ts'
import { type Decision, decide, type Hold, type Known, type LedgerTask, type NewEntry } from './decide.ts'
import type { SettleResult } from './ledger.ts'

const day = 86_400

interface Payer {
  readonly userId?: number
  readonly tokenId?: number
  readonly teamId?: number
  readonly memberId?: number
}

const party = ({ userId = 1, tokenId = 1, teamId = 0, memberId = 0 }: Payer) => ({ userId, tokenId, teamId, memberId })

const reserve = (id: string, least: number, wanted = least, payer: Payer = {}, at = 1): LedgerTask => ({
  type: 'reserve',
  request: { id, ...party(payer), least, wanted, at, limits: null },
})
const settle = (id: string, charge: number, payer: Payer = {}, admittedAt = 1): LedgerTask => ({
  type: 'settle',
  settlement: {
    id,
    ...party(payer),
    charge,
    channelId: 7,
    counts: charge > 0,
    log: null,
    at: 1,
    admittedAt,
    corrections: [],
  },
})

const account = (more: Partial<Account> = {}): Account => ({
  balance: 0,
  unlimited: false,
  usedQuota: 0,
  requestCount: 0,
  accessedTime: 0,
  budget: 0,
  budgetPeriod: 'day',
  budgetFrom: 0,
  budgetTo: 0,
  budgetUsed: 0,
  budgetHeld: 0,
  ...more,
})

/** The rows a database would hold, moved by decisions as a commit moves them. */
function createStore(users: [number, number][], tokens: [number, number | 'unlimited'][]) {
  const accounts = byKind(() => new Map<number, Account>())
  for (const [id, balance] of users) accounts.user.set(id, account({ balance }))
  for (const [id, remain] of tokens) {
    accounts.token.set(id, account(remain === 'unlimited' ? { unlimited: true } : { balance: remain }))
  }
  const holds = new Map<string, Hold>()
  const entries = new Map<string, NewEntry>()
  const commit = (operations: readonly LedgerTask[]): Decision => {
    const periodOf = createCalendar(() => 'UTC')
    const known: Known = {
      accounts,
      holds,
      settled: entries,
      periodOf,
      limits: createMemoryLimits(() => 0),
    }
    const decision = decide(operations, known)
    const { changes } = decision
    for (const kind of ['user', 'token', 'team', 'member'] as const) {
      for (const [id, row] of changes.accounts[kind]) accounts[kind].set(id, row)
    }
    for (const hold of changes.newHolds) {
      if (holds.has(hold.id)) throw new Error('a hold with this id is open')
      holds.set(hold.id, hold)
    }
    for (const id of changes.closedHolds) holds.delete(id)
    for (const entry of changes.entries) {
      if (entries.has(entry.ref)) throw new Error('an entry with this cause exists')
      entries.set(entry.ref, entry)
    }
    return decision
  }
  return { users: accounts.user, tokens: accounts.token, accounts, holds, entries, commit }
}

const paidBy = ({ results }: Decision) => results.map((result) => ('paid' in result ? result.paid : null))

describe('decide', () => {
  test('holds what is wanted, or less when there is less, but never below what is needed', () => {
    const store = createStore([[1, 100]], [[1, 80]])
    const { results } = store.commit([reserve('a', 10, 50), reserve('b', 10, 50), reserve('c', 10, 50)])
    expect(results).toEqual([
      { ok: true, held: 50, limits: null },
      { ok: true, held: 30, limits: null },
      { ok: false, lacking: 'token', available: 0, resetsAt: 0 },
    ])
    expect(store.users.get(1)?.balance).toBe(20)
  })

  test('gives the rest of a hold back', () => {
    const store = createStore([[1, 100]], [[1, 80]])
    store.commit([reserve('a', 50)])
    expect(store.commit([settle('a', 30)]).results).toEqual([
      { paid: 30, shortfall: 0, lostHold: false, before: 100, after: 70, budgets: [] },
    ])
    expect(store.users.get(1)).toMatchObject({ balance: 70, usedQuota: 30, requestCount: 1 })
    expect(store.tokens.get(1)?.balance).toBe(50)
  })

  test('takes what is there when the charge is above it, and says what is missing', () => {
    const store = createStore([[1, 60]], [[1, 100]])
    store.commit([reserve('a', 50)])
    expect(store.commit([settle('a', 90)]).results).toEqual([
      { paid: 60, shortfall: 30, lostHold: false, before: 60, after: 0, budgets: [] },
    ])
    expect(store.tokens.get(1)?.balance).toBe(40)
  })

  test('takes the whole charge from a user whose token has less left, and the token down to zero', () => {
    const store = createStore([[1, 1000]], [[1, 60]])
    store.commit([reserve('a', 50)])
    expect(store.commit([settle('a', 900)]).results).toEqual([
      { paid: 900, shortfall: 0, lostHold: false, before: 1000, after: 100, budgets: [] },
    ])
    expect(store.tokens.get(1)).toMatchObject({ balance: 0, usedQuota: 900 })
  })

  test('writes down a charge nothing could be taken for', () => {
    const store = createStore([[1, 50]], [[1, 100]])
    store.commit([reserve('a', 0), reserve('b', 50)])
    expect(store.commit([settle('a', 30)]).results).toEqual([
      { paid: 0, shortfall: 30, lostHold: false, before: 0, after: 0, budgets: [] },
    ])
    store.commit([settle('b', 0)])
    expect(paidBy(store.commit([settle('a', 30)]))).toEqual([0])
    expect(store.users.get(1)).toMatchObject({ balance: 50, usedQuota: 0, requestCount: 1 })
  })

  test('settles once, however often it is asked, in later commits', () => {
    const store = createStore([[1, 100]], [[1, 100]])
    store.commit([reserve('a', 50)])
    expect(paidBy(store.commit([settle('a', 30)]))).toEqual([30])
    expect(paidBy(store.commit([settle('a', 30)]))).toEqual([0])
    expect(store.users.get(1)?.balance).toBe(70)
  })

  test('settles once, however often it is asked, in one commit', () => {
    const store = createStore([[1, 100]], [[1, 100]])
    store.commit([reserve('a', 50)])
    expect(paidBy(store.commit([settle('a', 30), settle('a', 30), settle('a', 0)]))).toEqual([30, 0, 0])
    expect(store.users.get(1)).toMatchObject({ balance: 70, usedQuota: 30, requestCount: 1 })
  })

  test('returns a hold once when it is returned twice in one commit', () => {
    const store = createStore([[1, 100]], [[1, 100]])
    store.commit([reserve('a', 50)])
    store.commit([settle('a', 0), settle('a', 0)])
    expect(store.users.get(1)?.balance).toBe(100)
    expect(store.tokens.get(1)?.balance).toBe(100)
  })

  test('finds the hold of a reservation in the same commit', () => {
    const store = createStore([[1, 100]], [[1, 100]])
    expect(paidBy(store.commit([reserve('a', 50), settle('a', 30)]))).toEqual([null, 30])
    expect(store.holds.size).toBe(0)
    expect(store.users.get(1)?.balance).toBe(70)
  })

  test('charges an answer whose hold was swept meanwhile, once', () => {
    const store = createStore([[1, 100]], [[1, 100]])
    store.commit([reserve('a', 50)])
    store.commit([settle('a', 0)])
    expect(paidBy(store.commit([settle('a', 30)]))).toEqual([30])
    expect(paidBy(store.commit([settle('a', 30), settle('a', 30)]))).toEqual([0, 0])
    expect(store.users.get(1)?.balance).toBe(70)
  })

  test('an account or a token that is gone pays nothing and leaves no hold', () => {
    const store = createStore([[1, 100]], [[1, 100]])
    store.commit([reserve('a', 50), reserve('b', 20)])
    store.tokens.delete(1)
    expect(paidBy(store.commit([settle('a', 30)]))).toEqual([30])
    store.users.delete(1)
    expect(paidBy(store.commit([settle('b', 10)]))).toEqual([0])
    expect(store.holds.size).toBe(0)
  })
})

describe('budgets and teams', () => {
  const team = { teamId: 3, memberId: 4 }

  function teamStore(more: { team?: Partial<Account>; member?: Partial<Account> } = {}) {
    const store = createStore([[1, 0]], [[1, 'unlimited']])
    store.accounts.team.set(3, account({ balance: 100, ...more.team }))
    store.accounts.member.set(4, account({ unlimited: true, ...more.member }))
    return store
  }

  test('a team pays from its wallet and counts, as do member, token and user', () => {
    const store = teamStore()
    store.commit([reserve('a', 50, 50, team)])
    expect(store.accounts.team.get(3)?.balance).toBe(50)
    expect(store.commit([settle('a', 30, team)]).results).toMatchObject([{ paid: 30, before: 100, after: 70 }])
    expect(store.accounts.team.get(3)).toMatchObject({ balance: 70, usedQuota: 30, requestCount: 1, budgetUsed: 30 })
    expect(store.accounts.member.get(4)).toMatchObject({ balance: 0, usedQuota: 30, budgetUsed: 30, budgetHeld: 0 })
    expect(store.users.get(1)).toMatchObject({ balance: 0, usedQuota: 30, requestCount: 1, budgetUsed: 30 })
    expect(store.entries.get('a')).toMatchObject({ teamId: 3, amount: 0, teamAmount: -30, admittedAt: 1 })
  })

  test('an empty team wallet refuses, whatever its member has', () => {
    const store = teamStore({ team: { balance: 10 } })
    expect(store.commit([reserve('a', 50, 50, team)]).results).toMatchObject([{ lacking: 'team', available: 10 }])
  })

  test('the narrowest purse decides how much is held, and one that cannot bear it refuses without a trace', () => {
    const store = teamStore({ team: { budget: 60 }, member: { budget: 40 } })
    expect(store.commit([reserve('a', 10, 100, team)]).results).toEqual([{ ok: true, held: 40, limits: null }])
    expect(store.commit([reserve('b', 10, 100, team)]).results).toEqual([
      { ok: false, lacking: 'member budget', available: 0, resetsAt: day },
    ])
    expect(store.accounts.team.get(3)).toMatchObject({ balance: 60, budgetHeld: 40 })
    store.commit([settle('a', 25, team)])
    expect(store.accounts.member.get(4)).toMatchObject({ budgetUsed: 25, budgetHeld: 0 })
    expect(store.commit([reserve('c', 16, 16, team)]).results).toMatchObject([
      { lacking: 'member budget', available: 15 },
    ])
  })

  test('a budget begins anew with its period, and a late charge counts in the period of its admission', () => {
    const store = createStore([[1, 1000]], [[1, 'unlimited']])
    Object.assign(store.tokens.get(1) ?? {}, { budget: 100 })
    store.commit([reserve('a', 100, 100)])
    expect(store.commit([reserve('b', 1)]).results).toMatchObject([{ lacking: 'token budget', resetsAt: day }])
    expect(store.commit([reserve('c', 60, 60, {}, day)]).results).toEqual([{ ok: true, held: 60, limits: null }])
    store.commit([settle('a', 90)])
    expect(store.tokens.get(1)).toMatchObject({ budgetFrom: day, budgetUsed: 0, budgetHeld: 60 })
    expect(store.entries.get('a')).toMatchObject({ admittedAt: 1 })
    store.commit([settle('c', 50)])
    expect(store.tokens.get(1)).toMatchObject({ budgetUsed: 50, budgetHeld: 0 })
  })

  test('a clock that is behind does not spend from a period that has ended', () => {
    const store = createStore([[1, 1000]], [[1, 'unlimited']])
    Object.assign(store.tokens.get(1) ?? {}, { budget: 100 })
    store.commit([reserve('a', 80, 80, {}, day)])
    expect(store.commit([reserve('b', 30, 30, {}, day - 1)]).results).toMatchObject([{ lacking: 'token budget' }])
  })

  test('says which budgets a charge counted on', () => {
    const store = createStore([[1, 1000]], [[1, 'unlimited']])
    Object.assign(store.users.get(1) ?? {}, { budget: 100 })
    store.commit([reserve('a', 50)])
    expect((store.commit([settle('a', 50)]).results[0] as SettleResult).budgets).toEqual([
      { kind: 'user', budget: 100, used: 50, from: 0, resetsAt: day },
    ])
  })
})

const operation = fc.oneof(
  fc.record({
    type: fc.constant('reserve' as const),
    id: fc.nat(12),
    least: fc.nat(60),
    more: fc.nat(60),
  }),
  fc.record({ type: fc.constant('settle' as const), id: fc.nat(12), charge: fc.nat(150) }),
)

describe('any sequence of operations', () => {
  test('conserves money, never goes below zero and bills every id at most once', () => {
    const batches = fc.array(fc.array(operation, { maxLength: 8 }), { maxLength: 12 })
    fc.assert(
      fc.property(batches, fc.nat(300), fc.nat(300), (plan, userQuota, tokenQuota) => {
        const store = createStore(
          [
            [1, userQuota],
            [2, 200],
          ],
          [
            [1, tokenQuota],
            [2, 'unlimited'],
          ],
        )
        const reserved = new Set<number>()
        for (const batch of plan) {
          const operations = batch.flatMap((step) => {
            const own = 1 + (step.id % 2)
            if (step.type === 'settle')
              return reserved.has(step.id) ? [settle(String(step.id), step.charge, { userId: own, tokenId: own })] : []
            if (reserved.has(step.id)) return []
            reserved.add(step.id)
            return [reserve(String(step.id), step.least, step.least + step.more, { userId: own, tokenId: own })]
          })
          const results = store.commit(operations).results
          for (const result of results)
            expect('paid' in result ? (result as SettleResult).paid : 0).toBeGreaterThanOrEqual(0)
          prove(store, userQuota, tokenQuota)
        }
      }),
      { numRuns: 500 },
    )
  })
})

function prove(store: ReturnType<typeof createStore>, userQuota: number, tokenQuota: number): void {
  for (const [id, start] of [
    [1, userQuota],
    [2, 200],
  ] as const) {
    const own = ([ref]: [string, unknown]) => 1 + (Number(ref) % 2) === id
    const held = [...store.holds].filter(own).reduce((sum, [, hold]) => sum + hold.amount, 0)
    const paid = [...store.entries].filter(own).reduce((sum, [, { amount }]) => sum - amount, 0)
    const fromToken = [...store.entries].filter(own).reduce((sum, [, { tokenAmount }]) => sum - tokenAmount, 0)
    const user = store.users.get(id)
    expect(user?.balance).toBe(start - held - paid)
    expect(user?.balance).toBeGreaterThanOrEqual(0)
    expect(user?.usedQuota).toBe(paid)
    expect(store.tokens.get(id)?.usedQuota).toBe(paid)
    if (id === 1) {
      expect(store.tokens.get(1)?.balance).toBe(tokenQuota - held - fromToken)
      expect(fromToken).toBeLessThanOrEqual(paid)
      expect(store.tokens.get(1)?.balance).toBeGreaterThanOrEqual(0)
    } else expect(store.tokens.get(2)?.balance).toBe(0)
  }
}
