import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { runs } from '#shared/testing/thoroughness.ts'
import { createSseBlockSplitter, type SseBlock } from './sse-blocks.ts'

const event = fc.record({
  data: fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, ' ')),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
})
const streams = fc
  .array(event, { minLength: 1, maxLength: 6 })
  .map((events) => events.map(({ data, lineEnd }) => `data: ${data}${lineEnd}${lineEnd}`).join(''))

/** The bytes in pieces of these lengths, over and over. */
function pieces(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const cut: Uint8Array[] = []
  for (let from = 0, turn = 0; from < bytes.length; turn += 1) {
    const to = from + (lengths[turn % lengths.length] ?? 1)
    cut.push(bytes.slice(from, to))
    from = to
  }
  return cut
}

function split(chunks: readonly Uint8Array[]): { bytes: Uint8Array; blocks: SseBlock[] } {
  const splitter = createSseBlockSplitter()
  const parts = [...chunks.map((chunk) => splitter.push(chunk)), splitter.rest()]
  return {
    bytes: new Uint8Array(Buffer.concat(parts.map((part) => part.bytes))),
    blocks: parts.flatMap((part) => part.blocks),
  }
}

test('however a stream is cut, its bytes and its blocks are the same', () => {
  fc.assert(
    fc.property(streams, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }), (text, lengths) => {
      const bytes = new TextEncoder().encode(text)
      const whole = split([bytes])
      expect(whole.bytes).toEqual(bytes)
      expect(split(pieces(bytes, lengths))).toEqual(whole)
    }),
    runs(100),
  )
})

test('a block goes out with the byte that ends it, and not before', () => {
  const splitter = createSseBlockSplitter()
  const push = (text: string) => splitter.push(new TextEncoder().encode(text)).blocks.map(({ data }) => data)
  expect(push('data: a\r\n')).toEqual([])
  expect(push('\r')).toEqual([])
  expect(push('\ndata: b\n')).toEqual(['a'])
  expect(push('\n')).toEqual(['b'])
  expect(push('data: c')).toEqual([])
  expect(splitter.rest().blocks.map(({ data }) => data)).toEqual(['c'])
})

test('the last block is closed when its blank line is missing', () => {
  for (const missing of ['', '\n']) {
    const splitter = createSseBlockSplitter()
    splitter.push(new TextEncoder().encode(`data: a${missing}`))
    const { bytes, blocks } = splitter.rest()
    expect(new TextDecoder().decode(bytes)).toBe('data: a\n\n')
    expect(blocks).toEqual([{ raw: 'data: a\n\n', event: undefined, data: 'a' }])
  }
})

test('an event longer than any real one is refused', () => {
  const splitter = createSseBlockSplitter()
  const megabyte = new Uint8Array(1024 * 1024).fill(120)
  for (let count = 0; count < 32; count += 1) splitter.push(megabyte)
  expect(() => splitter.push(megabyte)).toThrow('too long')
})
