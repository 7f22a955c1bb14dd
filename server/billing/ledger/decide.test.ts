import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type Decision,
  decide,
  type Hold,
  type Known,
  type LedgerTask,
  type TokenBalance,
  type UserBalance,
} from './decide.ts'
import type { SettleResult } from './ledger.ts'

const reserve = (id: string, least: number, wanted = least, userId = 1, tokenId = 1): LedgerTask => ({
  type: 'reserve',
  request: { id, userId, tokenId, least, wanted, at: 0 },
})
const settle = (id: string, charge: number, userId = 1, tokenId = 1): LedgerTask => ({
  type: 'settle',
  settlement: { id, userId, tokenId, charge, channelId: 7, counts: charge > 0, log: null, at: 0 },
})

/** The rows a database would hold, moved by decisions as a commit moves them. */
function createStore(users: [number, number][], tokens: [number, number | 'unlimited'][]) {
  const userRows = new Map<number, UserBalance>(
    users.map(([id, quota]) => [id, { quota, usedQuota: 0, requestCount: 0 }]),
  )
  const tokenRows = new Map<number, TokenBalance>(
    tokens.map(([id, remain]) => [
      id,
      { remain: remain === 'unlimited' ? 0 : remain, unlimited: remain === 'unlimited', usedQuota: 0, accessedTime: 0 },
    ]),
  )
  const holds = new Map<string, Hold>()
  const entries = new Map<string, { amount: number; tokenAmount: number }>()
  const commit = (operations: readonly LedgerTask[]): Decision => {
    const known: Known = { users: userRows, tokens: tokenRows, holds, settled: new Set(entries.keys()) }
    const decision = decide(operations, known)
    const { changes } = decision
    for (const [id, row] of changes.users) userRows.set(id, row)
    for (const [id, row] of changes.tokens) tokenRows.set(id, row)
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
  return { users: userRows, tokens: tokenRows, holds, entries, commit }
}

const paidBy = ({ results }: Decision) => results.map((result) => ('paid' in result ? result.paid : null))

describe('decide', () => {
  test('holds what is wanted, or less when there is less, but never below what is needed', () => {
    const store = createStore([[1, 100]], [[1, 80]])
    const { results } = store.commit([reserve('a', 10, 50), reserve('b', 10, 50), reserve('c', 10, 50)])
    expect(results).toEqual([
      { ok: true, held: 50 },
      { ok: true, held: 30 },
      { ok: false, lacking: 'token', available: 0 },
    ])
    expect(store.users.get(1)?.quota).toBe(20)
  })

  test('gives the rest of a hold back', () => {
    const store = createStore([[1, 100]], [[1, 80]])
    store.commit([reserve('a', 50)])
    expect(store.commit([settle('a', 30)]).results).toEqual([{ paid: 30, shortfall: 0, before: 100, after: 70 }])
    expect(store.users.get(1)).toEqual({ quota: 70, usedQuota: 30, requestCount: 1 })
    expect(store.tokens.get(1)?.remain).toBe(50)
  })

  test('takes what is there when the charge is above it, and says what is missing', () => {
    const store = createStore([[1, 60]], [[1, 100]])
    store.commit([reserve('a', 50)])
    expect(store.commit([settle('a', 90)]).results).toEqual([{ paid: 60, shortfall: 30, before: 60, after: 0 }])
    expect(store.tokens.get(1)?.remain).toBe(40)
  })

  test('takes the whole charge from a user whose token has less left, and the token down to zero', () => {
    const store = createStore([[1, 1000]], [[1, 60]])
    store.commit([reserve('a', 50)])
    expect(store.commit([settle('a', 900)]).results).toEqual([{ paid: 900, shortfall: 0, before: 1000, after: 100 }])
    expect(store.tokens.get(1)).toMatchObject({ remain: 0, usedQuota: 900 })
  })

  test('writes down a charge nothing could be taken for', () => {
    const store = createStore([[1, 50]], [[1, 100]])
    store.commit([reserve('a', 0), reserve('b', 50)])
    expect(store.commit([settle('a', 30)]).results).toEqual([{ paid: 0, shortfall: 30, before: 0, after: 0 }])
    store.commit([settle('b', 0)])
    expect(paidBy(store.commit([settle('a', 30)]))).toEqual([0])
    expect(store.users.get(1)).toEqual({ quota: 50, usedQuota: 0, requestCount: 1 })
  })

  test('settles once, however often it is asked, in later commits', () => {
    const store = createStore([[1, 100]], [[1, 100]])
    store.commit([reserve('a', 50)])
    expect(paidBy(store.commit([settle('a', 30)]))).toEqual([30])
    expect(paidBy(store.commit([settle('a', 30)]))).toEqual([0])
    expect(store.users.get(1)?.quota).toBe(70)
  })

  test('settles once, however often it is asked, in one commit', () => {
    const store = createStore([[1, 100]], [[1, 100]])
    store.commit([reserve('a', 50)])
    expect(paidBy(store.commit([settle('a', 30), settle('a', 30), settle('a', 0)]))).toEqual([30, 0, 0])
    expect(store.users.get(1)).toEqual({ quota: 70, usedQuota: 30, requestCount: 1 })
  })

  test('returns a hold once when it is returned twice in one commit', () => {
    const store = createStore([[1, 100]], [[1, 100]])
    store.commit([reserve('a', 50)])
    store.commit([settle('a', 0), settle('a', 0)])
    expect(store.users.get(1)?.quota).toBe(100)
    expect(store.tokens.get(1)?.remain).toBe(100)
  })

  test('finds the hold of a reservation in the same commit', () => {
    const store = createStore([[1, 100]], [[1, 100]])
    expect(paidBy(store.commit([reserve('a', 50), settle('a', 30)]))).toEqual([null, 30])
    expect(store.holds.size).toBe(0)
    expect(store.users.get(1)?.quota).toBe(70)
  })

  test('charges an answer whose hold was swept meanwhile, once', () => {
    const store = createStore([[1, 100]], [[1, 100]])
    store.commit([reserve('a', 50)])
    store.commit([settle('a', 0)])
    expect(paidBy(store.commit([settle('a', 30)]))).toEqual([30])
    expect(paidBy(store.commit([settle('a', 30), settle('a', 30)]))).toEqual([0, 0])
    expect(store.users.get(1)?.quota).toBe(70)
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
            const party = 1 + (step.id % 2)
            if (step.type === 'settle')
              return reserved.has(step.id) ? [settle(String(step.id), step.charge, party, party)] : []
            if (reserved.has(step.id)) return []
            reserved.add(step.id)
            return [reserve(String(step.id), step.least, step.least + step.more, party, party)]
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
    expect(user?.quota).toBe(start - held - paid)
    expect(user?.quota).toBeGreaterThanOrEqual(0)
    expect(user?.usedQuota).toBe(paid)
    expect(store.tokens.get(id)?.usedQuota).toBe(paid)
    if (id === 1) {
      expect(store.tokens.get(1)?.remain).toBe(tokenQuota - held - fromToken)
      expect(fromToken).toBeLessThanOrEqual(paid)
      expect(store.tokens.get(1)?.remain).toBeGreaterThanOrEqual(0)
    } else expect(store.tokens.get(2)?.remain).toBe(0)
  }
}
