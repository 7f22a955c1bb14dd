import { expect, test } from 'bun:test'
import { balanceText } from './balance.ts'

const inMoney = { inCurrency: true, quotaPerUnit: 500_000 }
const inCounts = { inCurrency: false, quotaPerUnit: 500_000 }

test.each([
  [1, 12.345, '$12.35'],
  [8, 18.92, '$18.92'],
  [4, 212.4, '¥212.40'],
  [34, 8.5, '¥8.50'],
  [12, 1, '¥1.00'],
  [5, 25_000, '¥2.50'],
  [10, 1_000_000, '$2.00'],
  [13, 250_000, '$0.50'],
])('a channel of type %d with %d shows %s', (type, balance, text) => {
  expect(balanceText(type, balance, inMoney)).toBe(text)
})

test('quota balances follow the display of quota', () => {
  expect(balanceText(10, 1_000_000, inCounts)).toBe('1.0M')
})

test('other types report no balance', () => {
  for (const type of [3, 14, 15, 24, 99]) expect(balanceText(type, 5, inMoney)).toBeNull()
})
