import { describe, expect, test } from 'bun:test'
import { estimateChat, imageTokens } from './chat-tokens.ts'
import { createTokenTally, estimateTokens } from './token-estimate.ts'
import { countChat, countTokens, planCounting } from './tokenizer.ts'

describe('counting', () => {
  test('follows the encoding of the model', async () => {
    expect(await countTokens('tiktoken is great!', 'gpt-4')).toBe(6)
    expect(await countTokens('お誕生日おめでとう', 'gpt-3.5-turbo')).toBe(9)
    expect(await countTokens('お誕生日おめでとう', 'gpt-4o')).toBe(8)
    expect(await countTokens('お誕生日おめでとう', 'claude-opus-5-5')).toBe(14)
    expect(await countTokens('', 'gpt-4o')).toBe(0)
  })

  test('takes what looks like a control token for text', async () => {
    expect(await countTokens('a<|endoftext|>b', 'gpt-4o')).toBeGreaterThan(3)
  })

  test('gives the same number for a long text as for its parts', async () => {
    const sentence = 'The quick brown fox jumps over the lazy dog. '
    const [one, many] = [await countTokens(sentence, 'gpt-4o'), await countTokens(sentence.repeat(400), 'gpt-4o')]
    expect(Math.abs(many - one * 400)).toBeLessThanOrEqual(400)
  })

  test('never hands an encoder more than 500 characters at once or 200,000 in all', () => {
    const letters = 'x'.repeat(1_000_000)
    for (const text of [letters, '中'.repeat(1_000_000), '😀'.repeat(500_000), 'word '.repeat(200_000)]) {
      const { pieces, estimated } = planCounting([text])
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(500)
      expect(pieces.length).toBeLessThanOrEqual(1000)
      expect(pieces.join('')).toBe(text.slice(0, 200_000))
      expect(estimated).toBe(estimateTokens(text.slice(200_000)))
    }
    expect(planCounting([letters, letters])).toEqual({ ...planCounting([letters]), estimated: 450_000 })
  })

  test('leaves surrogate pairs whole', () => {
    const { pieces } = planCounting([`x${'😀'.repeat(1000)}`])
    for (const piece of pieces) expect(piece.isWellFormed()).toBe(true)
  })
})

describe('the estimate', () => {
  test('takes four letters, or one character of Chinese, for a token', () => {
    expect(estimateTokens('')).toBe(0)
    expect(estimateTokens('abcde')).toBe(2)
    expect(estimateTokens('你好世界')).toBe(4)
  })

  test('rounds up once for a text that comes in bits', () => {
    const tally = createTokenTally()
    for (const letter of 'abcdefgh') tally.add(letter)
    expect(tally.tokens()).toBe(2)
  })
})

describe('a conversation', () => {
  test('costs three tokens and its role for each message, and three before the answer', async () => {
    expect(await countChat([{ texts: ['hello'] }], 'gpt-4o')).toBe(8)
    expect(await countChat([{ texts: ['hello'], name: 'bob' }, { texts: [] }], 'gpt-4o')).toBe(14)
    expect(estimateChat([{ texts: ['hello'] }], 'gpt-4o')).toBe(9)
  })

  test('counts pictures by tiles, 85 in low detail, four tiles when nobody knows the size', () => {
    expect(imageTokens({ detail: 'low', width: 4000, height: 4000 }, 'gpt-4o')).toBe(85)
    expect(imageTokens({}, 'gpt-4o')).toBe(765)
    expect(imageTokens({ width: 1024, height: 1024 }, 'gpt-4o')).toBe(765)
    expect(imageTokens({ width: 2048, height: 4096 }, 'gpt-4o')).toBe(1105)
    expect(imageTokens({ width: 100, height: 100 }, 'gpt-4o')).toBe(255)
    expect(imageTokens({ detail: 'low' }, 'gpt-4o-mini')).toBe(2833)
  })
})
