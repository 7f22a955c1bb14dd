import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { BillableUsage } from './billable-usage.ts'
import { chargePictures, chargeSeconds, chargeSpeech } from './charge-each.ts'
import type { ModelPrice } from './model-price.ts'
import { charge, createPriceBook, noPriceOptions, type PriceOptions, pricePerMillion } from './price.ts'

function priced(model: string, options: Partial<PriceOptions> = {}): ModelPrice {
  const price = createPriceBook({ ...noPriceOptions, ...options }).priceOf(model)
  if (!price) throw new Error(`no price for ${model}`)
  return price
}

const quota = (price: ModelPrice, group: number, usage: BillableUsage) => charge(price, group, usage).quota

describe('a charge for tokens', () => {
  test('is exact where floating point is not: 100 tokens at 1.1 are 110', () => {
    expect(quota(priced('mine', { modelRatio: { mine: 1.1 } }), 1, { input: 100, output: 0 })).toBe(110)
    expect(quota(priced('mine', { modelRatio: { mine: 1 } }), 1.1, { input: 100, output: 0 })).toBe(110)
  })

  test('weighs the answer with the completion ratio and rounds up once', () => {
    expect(quota(priced('gpt-4o'), 1, { input: 10, output: 3 })).toBe(28)
    expect(quota(priced('gpt-4o-mini'), 1, { input: 1, output: 1 })).toBe(1)
  })

  test('counts cached, written and long-written tokens of the input at their own prices', () => {
    const usage = { input: 1000, output: 100, cacheRead: 200, cacheWrite: 300, cacheWriteLong: 400 }
    expect(quota(priced('claude-opus-4-6'), 1, usage)).toBe(
      Math.ceil(100 * 2.5 + 200 * 0.25 + 300 * 3.125 + 400 * 5 + 100 * 12.5),
    )
  })

  test('counts sound and pictures at their own prices', () => {
    const received = { input: 100, output: 50, audioInput: 40, audioOutput: 30 }
    expect(quota(priced('gpt-audio'), 1, received)).toBe(60 * 1.25 + 40 * 16 + 20 * 5 + 30 * 32)
    const drawn = { input: 100, output: 1000, imageInput: 60, imageOutput: 1000 }
    expect(quota(priced('gpt-image-1.5'), 1, drawn)).toBe(40 * 2.5 + 60 * 4 + 1000 * 16)
  })

  test('takes the long-context price for the whole request above its limit', () => {
    const price = priced('claude-haiku-5-5')
    expect(quota(price, 1, { input: 100_000, output: 1000 })).toBe(5250)
    const long = charge(price, 1, { input: 100_001, output: 1000 })
    expect(long.quota).toBe(Math.ceil(100_001 * 0.25 + 1250))
    expect(long.explanation).toMatchObject({ above: 100_000, modelRatio: 0.25 })
  })

  test('is nothing for no tokens and at least 1 for any, unless model or group is free', () => {
    const price = priced('mine', { modelRatio: { mine: 0.000001 }, completionRatio: { mine: 0 } })
    expect(quota(price, 1, { input: 0, output: 0 })).toBe(0)
    expect(quota(price, 1, { input: 1, output: 0 })).toBe(1)
    expect(quota(price, 1, { input: 0, output: 1 })).toBe(1)
    expect(quota(price, 0, { input: 500, output: 1 })).toBe(0)
    expect(quota(priced('glm-4-flash'), 1, { input: 500, output: 1 })).toBe(0)
  })

  test('stays within the safe integers and never below zero', () => {
    const price = priced('mine', { modelRatio: { mine: 1e6 } })
    expect(quota(price, 1e6, { input: Number.MAX_SAFE_INTEGER, output: 1e15 })).toBe(Number.MAX_SAFE_INTEGER)
    expect(quota(price, 1, { input: -5, output: -1, cacheRead: -3 })).toBe(0)
    expect(quota(price, 1, { input: Number.NaN, output: 0 })).toBe(0)
  })

  test('can be explained from its row', () => {
    const { explanation } = charge(priced('gpt-4o'), 2, { input: 100, output: 7, cacheRead: 60 })
    expect(JSON.parse(JSON.stringify(explanation))).toEqual({
      by: 'tokens',
      model: 'gpt-4o',
      source: 'list',
      modelRatio: 1.25,
      groupRatio: 2,
      parts: [
        { of: 'input', tokens: 40, ratio: 1 },
        { of: 'output', tokens: 7, ratio: 4 },
        { of: 'cacheRead', tokens: 60, ratio: 0.5 },
      ],
    })
  })
})

const tokens = fc.oneof(fc.nat(2000), fc.nat(2_000_000_000))
const thousandths = fc.oneof(fc.nat(5000), fc.nat(5_000_000))

describe('for any ratios and any usage', () => {
  const ratios = fc.record({ model: thousandths, completion: thousandths, cache: thousandths, group: thousandths })
  const usages = fc.record({ text: tokens, cached: tokens, output: tokens })
  const priceFor = ({ model, completion, cache }: { model: number; completion: number; cache: number }) =>
    priced('any', {
      modelRatio: { any: model / 1000 },
      completionRatio: { any: completion / 1000 },
      cacheRatio: { any: cache / 1000 },
    })

  test('a charge equals the same sum in whole thousandths', () => {
    fc.assert(
      fc.property(ratios, usages, (ratio, { text, cached, output }) => {
        const weighted =
          BigInt(text) * 1000n + BigInt(cached) * BigInt(ratio.cache) + BigInt(output) * BigInt(ratio.completion)
        const exact = weighted * BigInt(ratio.model) * BigInt(ratio.group)
        const rounded = (exact + 999_999_999n) / 1_000_000_000n
        const least = ratio.model > 0 && ratio.group > 0 && text + cached + output > 0 ? 1n : 0n
        const expected = rounded < least ? least : rounded
        const usage = { input: text + cached, output, cacheRead: cached }
        const largest = BigInt(Number.MAX_SAFE_INTEGER)
        expect(BigInt(quota(priceFor(ratio), ratio.group / 1000, usage))).toBe(expected > largest ? largest : expected)
      }),
      { numRuns: 500 },
    )
  })

  test('more tokens of a class never cost less', () => {
    const extra = fc.constantFrom('cacheRead', 'cacheWrite', 'cacheWriteLong', 'audioInput', 'imageInput', undefined)
    const models = fc.constantFrom(
      'claude-sonnet-4-5',
      'gemini-2.5-pro',
      'gpt-audio',
      'qwen3-coder-plus',
      'gpt-image-1',
    )
    fc.assert(
      fc.property(models, tokens, tokens, tokens, extra, (model, input, output, more, kind) => {
        const price = priced(model)
        const before = quota(price, 1.3, { input, output })
        expect(before).toBeGreaterThanOrEqual(0)
        const longer = { input: input + more, output, ...(kind ? { [kind]: more } : {}) }
        if (more > 0) expect(quota(price, 1.3, longer)).toBeGreaterThanOrEqual(before)
        expect(quota(price, 1.3, { input, output: output + more, reasoning: more })).toBeGreaterThanOrEqual(before)
      }),
      { numRuns: 300 },
    )
  })
})

describe('the price book', () => {
  test('knows snapshots and searching variants by the name they belong to, and nothing else', () => {
    const book = createPriceBook(noPriceOptions)
    expect(book.priceOf('gpt-4o-2030-01-02')?.model).toBe('gpt-4o')
    expect(book.priceOf('claude-opus-4-6-20300102')?.model).toBe('claude-opus-4-6')
    expect(book.priceOf('qwen-max-internet')?.model).toBe('qwen-max')
    expect(book.priceOf('gpt-4o-something')).toBeNull()
    expect(book.priceOf('constructor')).toBeNull()
  })

  test('lets a stored ratio win for its model and leaves the proportions of the list', () => {
    const price = priced('gpt-4o', { modelRatio: { 'gpt-4o': 10 } })
    expect(price.source).toBe('stored')
    expect(pricePerMillion(price)).toEqual({ input: 20, output: 80 })
    expect(quota(price, 1, { input: 10, output: 0, cacheRead: 10 })).toBe(50)
    expect(pricePerMillion(priced('gpt-4o-mini', { modelRatio: { 'gpt-4o': 10 } }))).toEqual({
      input: 0.15,
      output: 0.6,
    })
  })

  test('applies a stored base price to its snapshots but not to a snapshot listed on its own', () => {
    const options = { modelRatio: { 'gpt-4o': 10 }, completionRatio: { 'gpt-4o': 7 } }
    expect(pricePerMillion(priced('gpt-4o-2024-08-06', options))).toEqual({ input: 20, output: 140 })
    expect(pricePerMillion(priced('gpt-4o-2024-05-13', options))).toEqual({ input: 5, output: 15 })
  })

  test('scales long-context prices with a stored ratio', () => {
    const price = priced('claude-haiku-5-5', { modelRatio: { 'claude-haiku-5-5': 0.1 } })
    expect(quota(price, 1, { input: 200_000, output: 0 })).toBe(100_000)
  })

  test('completes a lone model ratio by the family of the name', () => {
    expect(pricePerMillion(priced('gpt-4-house', { modelRatio: { 'gpt-4-house': 1 } })).output).toBe(4)
    expect(pricePerMillion(priced('house', { modelRatio: { house: 1 } })).output).toBe(2)
    expect(createPriceBook({ ...noPriceOptions, completionRatio: { house: 3 } }).priceOf('house')).toBeNull()
  })

  test('gives groups nobody priced the ratio 1', () => {
    const book = createPriceBook({ ...noPriceOptions, groupRatio: { vip: 0.5 } })
    expect([book.groupRatio('vip'), book.groupRatio('other')]).toEqual([0.5, 1])
    expect(pricePerMillion(priced('gpt-4o'), 0.5)).toEqual({ input: 1.25, output: 5 })
  })
})

describe('what is not counted in tokens', () => {
  test('pictures cost by size and quality, unknown kinds as much as the dearest', () => {
    const price = priced('dall-e-3')
    expect(chargePictures(price, 1, { n: 1 }).quota).toBe(20_000)
    expect(chargePictures(price, 1.5, { n: 2, size: '1024x1792', quality: 'hd' }).quota).toBe(180_000)
    expect(chargePictures(price, 1, { n: 1, size: '9x9' }).quota).toBe(60_000)
    expect(chargePictures(priced('dall-e-2'), 1, { n: 1, size: '256x256' }).quota).toBe(8000)
  })

  test('a stored ratio moves all of them in proportion', () => {
    const price = priced('dall-e-3', { modelRatio: { 'dall-e-3': 10 } })
    expect(chargePictures(price, 1, { n: 1, quality: 'hd' }).quota).toBe(20_000)
    expect(chargeSpeech(priced('tts-1', { modelRatio: { 'tts-1': 15 } }), 1, { characters: 10 }).quota).toBe(150)
    expect(chargeSeconds(priced('whisper-1', { modelRatio: { 'whisper-1': 30 } }), 1, { seconds: 60 }).quota).toBe(6000)
  })

  test('a model of which only a ratio is stored counts a picture as 1000 tokens and a minute as 200', () => {
    const price = priced('house', { modelRatio: { house: 3 } })
    expect(chargePictures(price, 1, { n: 2 }).quota).toBe(6000)
    expect(chargeSpeech(price, 1, { characters: 7 }).quota).toBe(21)
    expect(chargeSeconds(price, 1, { seconds: 60 }).quota).toBe(600)
  })

  test('speech costs by character, transcription by second, fractions rounded up', () => {
    expect(chargeSpeech(priced('tts-1'), 1, { characters: 1000 }).quota).toBe(7500)
    expect(chargeSeconds(priced('whisper-1'), 1, { seconds: 12.34 }).quota).toBe(617)
    expect(chargeSeconds(priced('whisper-1'), 1, { seconds: 0.001 }).quota).toBe(1)
    expect(chargeSeconds(priced('whisper-1'), 1, { seconds: 0 }).quota).toBe(0)
  })
})

test('names that are longer than any model has are not remembered', () => {
  const book = createPriceBook(noPriceOptions)
  const megabytes = () => {
    Bun.gc(true)
    return process.memoryUsage().rss / 1024 / 1024
  }
  const before = megabytes()
  for (let at = 0; at < 600; at++) expect(book.priceOf(Buffer.alloc(1024 * 1024, `${at} `).toString())).toBeNull()
  expect(megabytes() - before).toBeLessThan(300)
})
