import { expect, test } from 'bun:test'
import { createFlatMap } from './flat-map.ts'

test('a map keeps the last value of each key while it grows', () => {
  const map = createFlatMap()
  for (let round = 1n; round <= 2n; round += 1n)
    for (let key = 1n; key <= 5000n; key += 1n) map.set(key * 1024n, key * round)
  expect([map.get(1024n), map.get(5000n * 1024n), map.has(1n)]).toEqual([2n, 10_000n, false])
})
