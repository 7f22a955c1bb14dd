import { expect, test } from 'bun:test'
import { checkSmoke } from './smoke.ts'

const tagged = (count: number) => `test('a', { tag: '@smoke' }, async () => {})\n`.repeat(count)

test('twenty-five journeys in one file or in several are enough, whatever other folders say', () => {
  expect(checkSmoke(new Map([['e2e/a.spec.ts', tagged(25)]]))).toEqual([])
  const apart = { 'e2e/a.spec.ts': tagged(20), 'e2e/b.spec.ts': tagged(5), 'e2e/support/c.ts': tagged(1) }
  expect(checkSmoke(new Map(Object.entries(apart)))).toEqual([])
})

test.each([24, 26])('%d are refused with their number', (count) => {
  expect(checkSmoke(new Map([['e2e/a.spec.ts', tagged(count)]]))).toEqual([
    `e2e has ${count} journeys tagged @smoke; npm test is to run 25`,
  ])
})
