import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { runs } from '#shared/testing/thoroughness.ts'
import { createJsonArrayParser, createJsonArrayWriter } from './json-array.ts'
import { FrameTooLong } from './lines.ts'
import { createNdjsonParser, formatNdjson } from './ndjson.ts'
import { createSseParser, formatSse } from './sse.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function parse(parser: { push(chunk: Uint8Array): unknown[]; end(): unknown[] }, text: string) {
  return [...parser.push(bytes(text)), ...parser.end()]
}

describe('server-sent events', () => {
  test.each([
    ['plain frames', 'data: a\n\ndata: b\n\n', [{ data: 'a' }, { data: 'b' }]],
    ['carriage returns', 'data: a\r\n\r\n', [{ data: 'a' }]],
    ['no space after the colon', 'data:a\n\n', [{ data: 'a' }]],
    ['only one space taken away', 'data:  a\n\n', [{ data: ' a' }]],
    ['comments and other fields', ': ping\nid: 1\nretry: 5\ndata: a\n\n: x\n\n', [{ data: 'a' }]],
    ['event names', 'event: e\ndata: a\n\ndata: b\n\n', [{ event: 'e', data: 'a' }, { data: 'b' }]],
    ['several data lines', 'data: a\ndata: b\n\n', [{ data: 'a\nb' }]],
    ['an event without data is nothing', 'event: e\n\ndata: a\n\n', [{ data: 'a' }]],
    ['a byte order mark', '\ufeffdata: a\n\n', [{ data: 'a' }]],
    ['a last frame without its blank line', 'data: {"a":1}', [{ data: '{"a":1}' }]],
    ['an end marker without its line end', 'data: [DONE]', [{ data: '[DONE]' }]],
    ['a bare object in place of an event', 'data: a\n\n{"error":1}\n', [{ data: 'a' }, { data: '{"error":1}' }]],
    [
      'a bare object over many lines',
      '{\n  "error": {\n    "code": 5\n  }\n}\n',
      [{ data: '{\n  "error": {\n    "code": 5\n  }\n}' }],
    ],
    ['a last line cut in half', 'data: a\n\ndata: {"a":', [{ data: 'a' }]],
  ])('%s', (_name, text, frames) => {
    expect(parse(createSseParser(), text)).toEqual(frames)
  })

  test('a line longer than the limit is refused, whole or in pieces', () => {
    expect(() => createSseParser(10).push(bytes(`data: ${'x'.repeat(11)}\n`))).toThrow(FrameTooLong)
    const parser = createSseParser(10)
    parser.push(bytes('data: xxx'))
    expect(() => parser.push(bytes('xxx'))).toThrow(FrameTooLong)
  })

  test('many short data lines cannot grow a frame past the limit', () => {
    expect(() => createSseParser(20).push(bytes('data: xxxxxxx\n'.repeat(3)))).toThrow(FrameTooLong)
  })
})

const frame = fc.record(
  { event: fc.stringMatching(/^[a-z_.]{1,12}$/), data: fc.json().map((text) => `{"v":${text}}`) },
  { requiredKeys: ['data'] },
)

const codecs = {
  sse: { parser: createSseParser, write: (frames: { data: string }[]) => frames.map(formatSse).join('') },
  ndjson: { parser: createNdjsonParser, write: (frames: { data: string }[]) => frames.map(formatNdjson).join('') },
  'json-array': {
    parser: createJsonArrayParser,
    write: (frames: { data: string }[]) => {
      const writer = createJsonArrayWriter()
      return frames.map(writer.write).join('') + writer.end()
    },
  },
}

for (const [name, codec] of Object.entries(codecs)) {
  const expected = (frames: { event?: string; data: string }[]) =>
    name === 'sse' ? frames : frames.map(({ data }) => ({ data }))

  test(`${name}: what is written is read back, wherever the bytes are cut`, () => {
    fc.assert(
      fc.property(fc.array(frame), fc.integer({ min: 1, max: 7 }), (frames, step) => {
        const wire = bytes(codec.write(frames))
        const parser = codec.parser()
        const seen: unknown[] = []
        for (let at = 0; at < wire.length; at += step) seen.push(...parser.push(wire.subarray(at, at + step)))
        seen.push(...parser.end())
        expect(seen).toEqual(expected(frames))
      }),
      runs(100),
    )
  })

  test(`${name}: a stream cut at any byte yields the frames before the cut and no broken one`, () => {
    fc.assert(
      fc.property(fc.array(frame, { minLength: 1 }), fc.nat(), (frames, where) => {
        const wire = bytes(codec.write(frames))
        const parser = codec.parser()
        const seen = [...parser.push(wire.subarray(0, where % wire.length)), ...parser.end()]
        expect(seen).toEqual(expected(frames).slice(0, seen.length))
      }),
      runs(100),
    )
  })
}

test('a streamed array: an object outside an array is a frame, and an empty answer is an empty array', () => {
  expect(parse(createJsonArrayParser(), '{"error":{"code":400}}')).toEqual([{ data: '{"error":{"code":400}}' }])
  expect(createJsonArrayWriter().end()).toBe('[]')
})
