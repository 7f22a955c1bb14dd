import { expect, test } from 'bun:test'
import { formatUsd } from '#shared/usd.ts'
import { formatShare } from './usd.ts'

test('dollars have two to four decimals, and no more than they need', () => {
  expect([2.5, 3, 0.125, 0.0375, 6.3999999999999995, 0].map(formatUsd)).toEqual([
    '$2.50',
    '$3.00',
    '$0.125',
    '$0.0375',
    '$6.40',
    '$0.00',
  ])
  expect(formatUsd(0.00002)).toBe('$0.00002')
  expect(formatUsd(null)).toBe('–')
})

test('a share below zero has a minus sign', () => {
  expect(formatShare(-0.25)).toBe('−25 %')
})
