import { expect, test } from 'bun:test'
import { checkTable, readTable } from './table.ts'

const cells = [
  ['one', 1],
  ['two', 2],
  ['three', 3],
] as const

/** What a promise is refused with. */
const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing failed',
    (error: Error) => error.message,
  )

test('what is found stands beside the name of its cell', async () => {
  expect(await readTable(cells, async (cell) => cell * 2)).toEqual({ one: 2, two: 4, three: 6 })
})

test('the cells that fail are named with their reasons, those that pass are not', async () => {
  const message = await messageOf(checkTable(cells, async (cell) => expect(cell).toBe(2)))
  expect(message).toStartWith('2 of 3 cells failed')
  expect(message).toMatch(/✗ one\n[^✗]*Received: .*1[^✗]*✗ three\n[^✗]*Received: .*3/s)
  expect(message).not.toContain('two')
})

test('a table in which every cell passes says nothing', async () => {
  await checkTable(cells, async (cell) => expect(cell).toBeGreaterThan(0))
})

test('a table without cells, or with two of one name, fails', async () => {
  expect(await messageOf(checkTable([], async () => {}))).toContain('no cells')
  const twice = [...cells, ['one', 4] as const]
  expect(await messageOf(readTable(twice, async (cell) => cell))).toContain('two cells are called "one"')
})
