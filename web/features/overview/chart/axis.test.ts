import { expect, test } from 'bun:test'
import { axisOf } from './axis.ts'

const labels = (...words: string[]) =>
  axisOf(
    words.map((_, index) => index),
    (index) => words[index] ?? '',
  )

test('labels of the axis have no needless zeros', () => {
  expect(labels('$0.00', '$200.00', '$0.000500', '$0.0120', '1,000', '1.0M').ticks.map(({ label }) => label)).toEqual([
    '$0',
    '$200',
    '$0.0005',
    '$0.012',
    '1,000',
    '1M',
  ])
})

test('the longest word has room beside the bars', () => {
  expect(labels('$0', '$0.000025').width).toBeGreaterThanOrEqual('$0.000025'.length * 7)
})
