import { expect, test } from 'bun:test'
import { createFlatMap } from './flat-map.ts'
import { createIdSet, createTextSet } from './flat-sets.ts'

test('sets of many numbers and texts know what was added and nothing else', () => {
  const [ids, texts] = [createIdSet(), createTextSet()]
  for (let id = 1; id <= 20_000; id += 1) {
    ids.add(id * 7)
    texts.add(`user ${id}`)
  }
  ids.add(-3)
  ids.add(2 ** 52)
  const wrong = Array.from({ length: 20_000 }, (_, at) => at + 1).filter(
    (id) => !ids.has(id * 7) || ids.has(id * 7 + 1) || !texts.has(`user ${id}`) || texts.has(`user ${-id}`),
  )
  expect(wrong).toEqual([])
  expect([ids.has(-3), ids.has(2 ** 52), ids.has(0), ids.has(-4)]).toEqual([true, true, false, false])
})

test('a map keeps the last value of each key while it grows', () => {
  const map = createFlatMap({ hasValues: true })
  for (let round = 1n; round <= 2n; round += 1n)
    for (let key = 1n; key <= 5000n; key += 1n) map.set(key * 1024n, key * round)
  expect([map.get(1024n), map.get(5000n * 1024n), map.has(1n)]).toEqual([2n, 10_000n, false])
})
