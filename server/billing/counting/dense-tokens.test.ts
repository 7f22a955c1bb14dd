import { describe, expect, test } from 'bun:test'
import { denseTokens } from './dense-tokens.ts'
import { countTokens } from './tokenizer.ts'

/** So many signs, each chosen by its place alone. */
const signs = (count: number, of: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => of((at * 7919 + 13) % 10_007)).join('')
const within = (from: number, many: number) => (at: number) => String.fromCodePoint(from + (at % many))

describe('a text that is no prose is held for about what a tokenizer makes of it', () => {
  test.each([
    ['Cherokee', within(0x13a0, 80)],
    ['Ethiopic', within(0x1200, 300)],
    ['Tibetan', within(0xf00, 200)],
    ['cuneiform', within(0x12000, 900)],
    ['rare characters of Chinese', within(0x20000, 40_000)],
    ['arrows and boxes', within(0x2190, 1000)],
    ['emoji', within(0x1f300, 700)],
    ['signs for private use', within(0xe000, 6000)],
    ['signs that control', within(0x01, 8)],
    ['letters with marks', (at: number) => `a${within(0x300, 100)(at)}`],
    ['letters without vowels', (at: number) => 'qxzjkvwpbg'[at % 10] ?? ''],
    ['letters large and small', (at: number) => 'aQbZcJdKeVfW'[at % 12] ?? ''],
    ['numbers and letters', (at: number) => at.toString(16)],
    ['brackets', (at: number) => '{}[]()<>;:,.'[at % 12] ?? ''],
    ['lines and columns', (at: number) => '\n \t\n'[at % 4] ?? ''],
  ])('%s', async (_, sign) => {
    const text = signs(500, sign)
    expect(denseTokens(text) * 1.2).toBeGreaterThan(await countTokens(text, 'gpt-4o'))
  })

  test.each([
    ['English', 'The government passed a new law about the limits of speed yesterday, although others objected. '],
    ['French', "Après avoir été élu, il a promis de réformer l'État et de réduire les inégalités des régions. "],
    ['Chinese', '政府昨天通过了一项关于道路限速的新法律，尽管反对党对过渡条款提出了强烈的反对意见。'],
    ['code', 'const total = items.reduce((sum, { price, count }) => sum + price * count, 0)\n'],
  ])('and prose, as %s, for not twice of it', async (_, sentence) => {
    const text = sentence.repeat(10)
    expect(denseTokens(text)).toBeLessThan(2 * (await countTokens(text, 'gpt-4o')))
  })
})
