import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { runs } from '#shared/testing/thoroughness.ts'
import { ceiling, decimal, dividedBy, times, toNumber } from './decimal.ts'

describe('decimal', () => {
  test('reads a number as it is written', () => {
    expect(decimal(1.1)).toEqual({ units: 11n, decimals: 1 })
    expect(decimal(2.5e-7)).toEqual({ units: 25n, decimals: 8 })
    expect(decimal(1e21)).toEqual({ units: 10n ** 21n, decimals: 0 })
    expect(decimal(0.1 + 0.2)).toEqual({ units: 3n, decimals: 1 })
  })

  test('takes negative numbers for zero and refuses what is no number', () => {
    expect(decimal(-3).units).toBe(0n)
    expect(() => decimal(Number.NaN)).toThrow(RangeError)
    expect(() => decimal(Number.POSITIVE_INFINITY)).toThrow(RangeError)
  })

  test('gives numbers of up to nine decimals back unchanged', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: 9 }), (units, places) => {
        const value = units / 10 ** places
        expect(toNumber(decimal(value))).toBe(value)
      }),
      runs(100),
    )
  })

  test('multiplies exactly and cuts a division that does not come out even', () => {
    expect(toNumber(times(decimal(100), decimal(1.1)))).toBe(110)
    expect(toNumber(dividedBy(decimal(2), decimal(3)))).toBe(0.666666666666)
    expect(toNumber(dividedBy(decimal(14), decimal(1.75)))).toBe(8)
  })

  test('rounds up once and never beyond the safe integers', () => {
    expect(ceiling(110n, 1)).toBe(11)
    expect(ceiling(111n, 1)).toBe(12)
    expect(ceiling(10n ** 40n, 2)).toBe(Number.MAX_SAFE_INTEGER)
  })
})
