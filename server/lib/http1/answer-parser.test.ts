import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { runs } from '#shared/testing/thoroughness.ts'
import { headerIn } from './answer-head.ts'
import { createAnswerParser } from './answer-parser.ts'
import { MalformedAnswer } from './http-response.ts'

interface Received {
  status: number
  body: string
  ended: boolean
  keepAlive: boolean
  header: (name: string) => string | null
}

/** Reads an answer that arrives in these pieces, from a connection that is closed afterwards if asked for. */
function read(pieces: readonly Buffer[], isClosed = false): Received {
  const received: Received = { status: 0, body: '', ended: false, keepAlive: false, header: () => null }
  const body: Buffer[] = []
  const parser = createAnswerParser({
    head: (head) => {
      const { status, keepAlive } = head
      Object.assign(received, { status, keepAlive, header: (name: string) => headerIn(head, name) })
    },
    body: (bytes) => body.push(bytes),
    end() {
      expect(received.ended).toBe(false)
      received.ended = true
    },
  })
  for (const piece of pieces) parser.push(piece)
  if (isClosed) parser.close()
  received.body = Buffer.concat(body).toString()
  return received
}

const whole = (text: string) => [Buffer.from(text)]

/** The bytes cut at these places. */
function cut(text: string, places: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text)
  const at = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b)
  return [...at, bytes.length].map((end, index) => bytes.subarray(at[index - 1] ?? 0, end))
}

const bodies = fc.string({ unit: 'grapheme', maxLength: 300 })
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })

function chunked(body: string, lengths: readonly number[]): string {
  const bytes = Buffer.from(body)
  let text = ''
  for (let from = 0, turn = 0; from < bytes.length; turn += 1) {
    const piece = bytes.subarray(from, from + (lengths[turn % lengths.length] ?? 1))
    text += `${piece.length.toString(16)}${turn % 2 ? ';note=1' : ''}\r\n${piece.toString('latin1')}\r\n`
    from += piece.length
  }
  return `${text}0\r\nx-trailer: 1\r\n\r\n`
}

describe('however its bytes are cut, the same is read from an answer', () => {
  const places = fc.array(fc.nat(2000), { maxLength: 8 })
  test('that says its length', () => {
    fc.assert(
      fc.property(bodies, places, (body, at) => {
        const text = `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Name:  Some Value \r\n\r\n${body}`
        const received = read(cut(text, at))
        expect(received).toMatchObject({ status: 200, body, ended: true, keepAlive: true })
        expect(received.header('x-name')).toBe('Some Value')
      }),
      runs(100),
    )
  })
  test('in chunks', () => {
    fc.assert(
      fc.property(bodies, sizes, places, (body, lengths, at) => {
        const head = Buffer.from('HTTP/1.1 206 Partial\r\nTransfer-Encoding: Chunked\r\n\r\n')
        const bytes = Buffer.concat([head, Buffer.from(chunked(body, lengths), 'latin1')])
        const ends = [...new Set(at.map((place) => place % bytes.length))].sort((a, b) => a - b)
        const pieces = [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
        expect(read(pieces)).toMatchObject({ status: 206, body, ended: true, keepAlive: true })
      }),
      runs(100),
    )
  })
  test('that ends with its connection', () => {
    fc.assert(
      fc.property(bodies, places, (body, at) => {
        const text = `HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n${body}`
        expect(read(cut(text, at))).toMatchObject({ ended: false })
        expect(read(cut(text, at), true)).toMatchObject({ body, ended: true, keepAlive: false })
      }),
      runs(100),
    )
  })
})

test('interim answers are passed over', () => {
  const text =
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nhi'
  expect(read(whole(text))).toMatchObject({ status: 201, body: 'hi', ended: true })
})

test('an answer without content has no body, whatever it says', () => {
  const received = read(whole('HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n'))
  expect(received).toMatchObject({ status: 204, body: '', ended: true, keepAlive: true })
})

test('a connection that is to be closed is not kept', () => {
  expect(read(whole('HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n')).keepAlive).toBe(false)
  expect(read(whole('HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n')).keepAlive).toBe(false)
})

test('an answer that is cut short never ends', () => {
  expect(read(whole('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi'), true).ended).toBe(false)
  expect(read(whole('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhi'), true).ended).toBe(false)
  expect(read(whole('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n'), true).ended).toBe(false)
})

describe('an answer is refused', () => {
  const head = 'HTTP/1.1 200 OK\r\n'
  const chunks = `${head}Transfer-Encoding: chunked\r\n\r\n`
  const refused: Record<string, string> = {
    'that is no HTTP': 'SSH-2.0-OpenSSH\r\n\r\n',
    'of another version': 'HTTP/2 200\r\n\r\n',
    'with two lengths': `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi`,
    'with a length and chunks': `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'with two codings': `${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
    'with a length that is no number': `${head}Content-Length: +2\r\n\r\nhi`,
    'with a list of lengths': `${head}Content-Length: 2, 2\r\n\r\nhi`,
    'in an unknown coding': `${head}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    'with a folded header': `${head}X-A: 1\r\n  2\r\nContent-Length: 0\r\n\r\n`,
    'with a space before a colon': `${head}Content-Length : 0\r\n\r\n`,
    'with a lone line feed in a header': `${head}X-A: 1\nContent-Length: 5\r\nContent-Length: 0\r\n\r\n`,
    'longer than it says': `${head}Content-Length: 2\r\n\r\nhi!`,
    'with a chunk longer than it says': `${chunks}1\r\nhi\r\n0\r\n\r\n`,
    'with a chunk without a size': `${chunks}\r\nhi\r\n`,
    'with a chunk of negative size': `${chunks}-1\r\nhi\r\n`,
    'with lines that end in line feeds alone': `${chunks}2\nhi\n0\n\n`,
    'with bytes behind the last chunk': `${chunks}0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n`,
    'with a head that does not end': `${head}X-A: ${'a'.repeat(70_000)}`,
    'with a line between chunks that does not end': `${chunks}1;${'a'.repeat(5000)}`,
  }
  test.each(Object.entries(refused))('%s', (_, text) => {
    expect(() => read(whole(text))).toThrow(MalformedAnswer)
  })
})

test('chunks that arrive together are one piece, however small they are', () => {
  const pieces: string[] = []
  const parser = createAnswerParser({ head() {}, body: (bytes) => pieces.push(bytes.toString()), end() {} })
  parser.push(Buffer.from(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(5000)}2\r\nb`))
  parser.push(Buffer.from('b\r\n0\r\n\r\n'))
  expect(pieces).toEqual([`${'a'.repeat(5000)}b`, 'b'])
})
