import { expect, test } from 'bun:test'
import { measured, together } from './chart-data.ts'

const line = (key: string, values: Record<string, number[]>) => ({ key, label: key, values })
const one = line('a', { requests: [10, 0, 30], failed: [1, 0, 0], quota: [5, 0, 7] })
const other = line('b', { requests: [10, 0, 10], failed: [3, 0, 0], quota: [1, 0, 2] })
const first_byte = { p50_ms: [500, null, 750], p95_ms: [900, null, 2000], period_p50_ms: 600, period_p95_ms: 1800 }
const all = together({ series: [one, other], first_byte })

test('sums of series are added up, by bucket and as a whole', () => {
  expect(measured('quota', all, 3)).toEqual({ values: [6, 0, 9], total: 15 })
})

test('a share is that of all requests, not a sum of shares, and unknown where there are none', () => {
  const { values, total } = measured('failed', all, 3)
  expect(values[0]).toBe(0.2)
  expect(values[1]).toBeNaN()
  expect(values[2]).toBe(0)
  expect(total).toBeCloseTo(4 / 60)
})

test('times are in seconds as the server knows them, and unknown where nothing was measured', () => {
  expect(measured('first_byte_p50', all, 3)).toEqual({ values: [0.5, Number.NaN, 0.75], total: 0.6 })
  expect(measured('first_byte_p95', all, 3)).toEqual({ values: [0.9, Number.NaN, 2], total: 1.8 })
})
