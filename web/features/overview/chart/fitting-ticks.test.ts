import { expect, test } from 'bun:test'
import { fittingTicks } from './fitting-ticks.ts'

const wordsAt = (ticks: readonly (string | null)[], step: number) =>
  fittingTicks(ticks, (bucket) => 40 + bucket * step, 40 + ticks.length * step).map(({ word }) => word)

test('a name beside that of today is left out where both would not fit', () => {
  const ticks = ['9 Nov', null, null, null, null, null, null, '16 Nov', null, null, 'Today']
  expect(wordsAt(ticks, 22)).toEqual(['9 Nov', '16 Nov', 'Today'])
  expect(wordsAt(ticks, 10)).toEqual(['9 Nov', 'Today'])
})

test('Chinese names need more room, and every second one is shown where they have none', () => {
  const ticks = Array.from({ length: 29 }, (_, bucket) => (bucket % 7 === 0 ? `11月${bucket}日` : null))
  expect(wordsAt(ticks, 13)).toHaveLength(5)
  expect(wordsAt(ticks, 6)).toEqual(['11月0日', '11月14日', '11月28日'])
})
