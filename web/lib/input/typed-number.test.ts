import { describe, expect, test } from 'bun:test'
import { readDecimal, readQuota, readUsd, readWhole } from './typed-number.ts'

describe('a typed whole number', () => {
  test.each([
    ['25', 25],
    ['500,000', 500_000],
    [' 7 ', 7],
    ['-3', -3],
    ['1,234,567', 1_234_567],
  ])('%p is %p', (text, value) => expect(readWhole(text)).toBe(value))

  test.each(['2.5', '12.50', '1e6', '', 'x', '1,00', '--1', '0x10', '１２'])('%p is none', (text) => {
    expect(readWhole(text)).toBeUndefined()
  })
})

describe('a typed number with a point', () => {
  test.each([
    ['2.5', 2.5],
    ['.5', 0.5],
    ['3.', 3],
    ['1,250.25', 1250.25],
    [' 7 ', 7],
  ])('%p is %p', (text, value) => expect(readDecimal(text)).toBe(value))

  test.each(['1e6', '0x10', '-1', '', '.', '1.2.3', '1,5', '１２', '$2', 'x'])('%p is none', (text) => {
    expect(readDecimal(text)).toBeUndefined()
  })

  test('dollars may have their sign', () => {
    expect(readUsd('$12.50')).toBe(12.5)
    expect(readUsd('$ 3')).toBe(3)
    expect(readUsd('$1e3')).toBeUndefined()
  })
})

describe('a typed amount of quota', () => {
  test.each([
    ['$12.50', 6_250_000],
    ['$ 1,000', 500_000_000],
    ['$0.000002', 1],
    ['500,000', 500_000],
  ])('%p is %p', (text, value) => expect(readQuota(text, 500_000)).toBe(value))

  test.each(['12.50', '$0.0000001', '$', '$-1', '$1e3'])('%p is none', (text) => {
    expect(readQuota(text, 500_000)).toBeUndefined()
  })
})
