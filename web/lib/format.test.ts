import { describe, expect, test } from 'bun:test'
import { cutUsername, formatTime, quotaPair } from './format.ts'

describe('what the console prints', () => {
  test('times have the form YYYY-MM-DD HH:mm:ss in local time', () => {
    const at = new Date(2026, 0, 2, 3, 4, 5)
    expect(formatTime(at.getTime() / 1000)).toBe('2026-01-02 03:04:05')
  })

  test('usernames are cut at 15 characters, no letter torn', () => {
    expect(cutUsername('fifteen-letters')).toBe('fifteen-letters')
    expect(cutUsername('sixteen--letters')).toBe('sixteen--letter…')
    expect(cutUsername('👩🏽'.repeat(8))).toHaveLength(15 * 2 + 1)
  })

  test('money comes first with currency on, the count with currency off', () => {
    expect(quotaPair(184_200_000, { inCurrency: true, quotaPerUnit: 500_000 }, 'quota')).toEqual({
      main: '$368.40',
      beside: '184.2M quota',
    })
    expect(quotaPair(172, { inCurrency: false, quotaPerUnit: 500_000 }, 'quota', true)).toEqual({
      main: '172 quota',
      beside: '$0.000344',
    })
  })
})
