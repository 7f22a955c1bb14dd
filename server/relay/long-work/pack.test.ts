import { expect, test } from 'bun:test'
import { pack, unpack } from './pack.ts'

test('what JSON does not know comes back as it was', () => {
  const value = {
    price: { units: [12_345_678_901_234_567_890n, 0n] },
    names: new Map([['a', { n: 1 }]]),
    set: new Set([1]),
  }
  expect(unpack<typeof value>(pack(value))).toEqual(value)
})
