import { expect, test } from 'bun:test'
import { Pieces } from './pieces.ts'

test('pieces of any size come out as the bytes that went in, as often as they are taken', () => {
  const pieces = new Pieces()
  for (const sizes of [[], [7], [1, 70_000, 2], [...Array(200).fill(1), 5000, 3, 70_000, ...Array(90_000).fill(1)]]) {
    const all = Buffer.alloc(sizes.reduce((sum, size) => sum + size, 0)).map((_, at) => at % 251)
    let at = 0
    for (const size of sizes) {
      pieces.add(all.subarray(at, at + size))
      at += size
    }
    expect(pieces.size).toBe(all.length)
    expect(pieces.take().equals(all)).toBe(true)
    expect(pieces.size).toBe(0)
  }
})
