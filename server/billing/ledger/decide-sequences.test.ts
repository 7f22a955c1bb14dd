import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createStore, reserve, settle } from '#server/testing/ledger-store.ts'
import { runs } from '#shared/testing/thoroughness.ts'
import type { SettleResult } from './ledger.ts'

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
      runs(500),
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
