import { expect, test } from 'bun:test'
import { chargeLines, noLines, withLine } from './charge-lines.ts'
import { modelPrice, requestPrice } from './model-price.ts'

const line = (input: number, output: number, fees: { of: string; count: number; usd: number }[] = []) => ({
  usage: { input, output },
  extras: fees.length > 0 ? { times: 1, fees } : undefined,
  counted: false,
})

const priced = (more = {}) => {
  const tiers = [{ above: 1000, input: 4, output: 8 }]
  const price = modelPrice('m', { unit: 'token', input: 2, output: 4, tiers, ...more }, {})
  if (!price) throw new Error('no price')
  return price
}

test('lines are half the price and rounded up once for all of them', () => {
  const lines = Array.from({ length: 3 }, () => line(1, 0))
  const sum = lines.reduce((before, each) => withLine(before, priced(), 'gpt-4o', each), noLines('gpt-4o'))
  expect(chargeLines(priced(), 1, sum).quota).toBe(2)
  expect(sum).toMatchObject({ lines: 3, usage: { input: 3, output: 0 } })
})

test('each line has the price of its own length, however long all of them are', () => {
  const short = Array.from({ length: 4 }, () => line(1000, 0))
  const all = [...short, line(2000, 0)]
  const sum = all.reduce((before, each) => withLine(before, priced(), 'gpt-4o', each), noLines('gpt-4o'))
  expect(chargeLines(priced(), 1, sum).quota).toBe((4 * 1000 * 1 + 2000 * 2) / 2)
})

test('a list may name another share, and fees are paid whole', () => {
  const price = priced({ batchShare: 0.75 })
  const fee = { of: 'webSearch', count: 2, usd: 0.01 }
  const sum = withLine(noLines('gpt-4o'), price, 'gpt-4o', line(100, 0, [fee]))
  expect(chargeLines(price, 1, sum).quota).toBe(75 + 10_000)
})

test('a model sold by the request costs its price for every line, whatever it used', () => {
  const price = requestPrice('m', 0.001)
  const sum = [line(1, 1), line(900, 900)].reduce((before, each) => withLine(before, price, 'm', each), noLines('m'))
  expect(chargeLines(price, 2, sum).quota).toBe(2 * 500 * 2)
})
