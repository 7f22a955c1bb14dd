import { expect, test } from 'bun:test'
import { asText } from './series-text.ts'

test('names with commas and quotes keep their cell, and no cell is a formula', () => {
  expect(asText([['Time', 'a,b', '=1+1', 'the "best"', -3]], ',')).toBe('Time,"a,b",\'=1+1,"the ""best""",-3\n')
})

test('what is copied has a tab between cells', () => {
  expect(
    asText(
      [
        ['2026-11-13', 5],
        ['a\tb', 6],
      ],
      '\t',
    ),
  ).toBe('2026-11-13\t5\na b\t6\n')
})
