import { expect } from 'bun:test'
import type { Bill, Books } from './relay-scene.ts'

type Row = Partial<Books['rows'][number]>

/** One request was charged this much, everywhere it shows: balances, counters and its row. */
export function expectCharge(bill: Bill, quota: number, row: Row = {}): void {
  const { rows, ...moved } = bill
  expect(moved).toEqual({
    user: -quota,
    userUsed: quota,
    requests: 1,
    token: -quota,
    tokenUsed: quota,
    channels: quota,
    holds: 0,
  })
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ quota, outcome: 'done', ...row })
}

const unmoved = { user: 0, userUsed: 0, requests: 0, token: 0, tokenUsed: 0, channels: 0, holds: 0 }

/** Nothing moved; a request that was let in left a row that says so. */
export function expectFree(bill: Bill, row: Row): void {
  const { rows, ...moved } = bill
  expect(moved).toEqual(unmoved)
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ quota: 0, ...row })
}

/** Refused before any money was held: not even a row. */
export function expectUntouched(bill: Bill): void {
  const { rows, ...moved } = bill
  expect(moved).toEqual(unmoved)
  expect(rows).toEqual([])
}
