import { describe, expect, test } from 'bun:test'
import { previewPrices, ratiosIn } from './prices.ts'

describe('price preview', () => {
  test('a ratio is two dollars a million tokens at the usual quota per dollar', () => {
    const prices = previewPrices({ model: { a: 1.25 }, completion: { a: 4 }, quotaPerUnit: 500_000 }, [])
    expect(prices).toEqual([{ model: 'a', input: 2.5, output: 10 }])
  })

  test('what the ratios leave open comes from the prices in force', () => {
    const inForce = [
      { model: 'a', input: 2, output: 6 },
      { model: 'b', input: 1, output: 5 },
    ]
    const prices = previewPrices({ model: { a: 2 }, completion: { b: 3 }, quotaPerUnit: 500_000 }, inForce)
    expect(prices).toEqual([
      { model: 'a', input: 4, output: 12 },
      { model: 'b', input: 1, output: 3 },
    ])
  })

  test('a model nobody knows has no price of its answers', () => {
    expect(previewPrices({ model: { a: 1 }, completion: {}, quotaPerUnit: 500_000 }, [])).toEqual([
      { model: 'a', input: 2, output: null },
    ])
  })

  test('a text that is no JSON object names nothing', () => {
    for (const text of ['', '{', '[1]', '"a"', 'null']) expect(ratiosIn(text)).toEqual({})
    expect(ratiosIn('{"a": 1, "b": "x"}')).toEqual({ a: 1 })
  })
})
