import { describe, expect, test } from 'bun:test'
import { priceOf, type SavedRatios } from './price-of.ts'

const nothing: SavedRatios = { modelRatio: new Map(), completionRatio: new Map() }
const openAi = 1
const aws = 33

describe('what one-api takes for a model', () => {
  test.each([
    ['gpt-4o', 2.5, 4],
    ['gpt-4o-2024-05-13', 2.5, 3],
    ['gpt-3.5-turbo-1106', 0.5, 2],
    ['gpt-4-turbo', 5, 3],
    ['claude-3-5-sonnet-latest', 1.5, 5],
    ['gemini-2.0-flash', 0.075, 3],
    ['deepseek-reasoner', 0.275, 2.19 / 0.55],
    ['whisper-1', 15, 0],
    ['qwen-max-internet', 0.1704, 1],
    ['glm-4-flash', 0, 1],
  ])('%s: what stands in its code', (model, ratio, completionRatio) => {
    const price = priceOf(model, openAi, nothing)
    if ('perRequest' in price) throw new Error('sold by the request')
    expect(price.ratio).toBeCloseTo(ratio, 6)
    expect(price.completionRatio).toBeCloseTo(completionRatio, 9)
    expect(price).toMatchObject({ cacheRatio: 1, createCacheRatio: 1 })
  })

  test('a model nobody priced costs 30', () => {
    expect(priceOf('gpt-5', openAi, nothing)).toMatchObject({ ratio: 30, completionRatio: 1 })
  })

  test('what was saved goes before what is built in, a number for a channel type before one for all', () => {
    const saved = { modelRatio: new Map([['llama3-8b-8192', 7]]), completionRatio: new Map([['gpt-4o', 9]]) }
    expect(priceOf('gpt-4o', openAi, saved)).toMatchObject({ ratio: 2.5, completionRatio: 9 })
    expect(priceOf('llama3-8b-8192', openAi, saved)).toMatchObject({ ratio: 7, completionRatio: 2 })
    expect(priceOf('llama3-8b-8192', aws, saved)).toMatchObject({ ratio: 0.15 })
  })

  test('a negative ratio was the smallest charge', () => {
    expect(priceOf('openrouter/auto', 20, nothing)).toEqual({ perRequest: 0.000002 })
  })
})
