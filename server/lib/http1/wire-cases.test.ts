import { describe, expect, test } from 'bun:test'
import { createAnswerParser } from './answer-parser.ts'
import { MalformedAnswer } from './http-response.ts'

/** What comes of the bytes of one answer, once the connection is closed. */
interface Outcome {
  readonly status: number
  readonly body?: string
  /** False when the answer is not complete even then. */
  readonly complete?: boolean
  readonly kept?: boolean
}

function outcomeOf(pieces: readonly Buffer[]): Required<Outcome> {
  const seen = { status: 0, body: '', complete: false, kept: false }
  const parser = createAnswerParser({
    head: ({ status, keepAlive }) => Object.assign(seen, { status, kept: keepAlive }),
    body(bytes) {
      seen.body += bytes.toString('latin1')
    },
    end() {
      seen.complete = true
    },
  })
  for (const piece of pieces) parser.push(piece)
  parser.close()
  return seen
}

const page = '<HTML><HEAD><TITLE>301 Moved</TITLE></HEAD></HTML>'
const moved = 'HTTP/1.1 301 Moved Permanently\r\nLocation: http://example.com/\r\n'
const chunks = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

/** Answers as servers of all kinds send them, and what must come of each. */
const fine: Record<string, readonly [bytes: string, outcome: Outcome]> = {
  'a plain answer': [
    'HTTP/1.1 200 OK\r\nHeader1: Value1\r\nContent-Length: 0\r\n\r\n',
    { status: 200, body: '', kept: true },
  ],
  'an empty body': ['HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', { status: 200, body: '' }],
  'a page with its length': [
    `${moved}Content-Length: ${page.length}\r\n\r\n${page}`,
    { status: 301, body: page, kept: true },
  ],
  'a page up to the end of the connection': [`${moved}\r\n${page}`, { status: 301, body: page, kept: false }],
  'no headers and no body': ['HTTP/1.1 404 Not Found\r\n\r\n', { status: 404, body: '', kept: false }],
  'no reason phrase': ['HTTP/1.1 301\r\n\r\n', { status: 301 }],
  'a space and no reason phrase': ['HTTP/1.1 200 \r\n\r\n', { status: 200 }],
  'a reason phrase without spaces': ['HTTP/1.1 301 MovedPermanently\r\nContent-Length: 0\r\n\r\n', { status: 301 }],
  'a reason phrase that is not ASCII': [
    'HTTP/1.1 500 Ori\u00ebntatieprobleem\r\nContent-Length: 0\r\n\r\n',
    { status: 500 },
  ],
  'two spaces before the reason phrase': ['HTTP/1.1 200  OK\r\nContent-Length: 0\r\n\r\n', { status: 200 }],
  'an underscore in a name': ['HTTP/1.1 200 OK\r\nx_y: 1\r\nContent-Length: 2\r\n\r\nhi', { status: 200, body: 'hi' }],
  'many spaces in a value': [
    'HTTP/1.1 200 OK\r\nX:   a  b \t\r\nContent-Length: 2\r\n\r\nhi',
    { status: 200, body: 'hi' },
  ],
  'a value of nothing': ['HTTP/1.1 200 OK\r\nX:\r\nContent-Length: 2\r\n\r\nhi', { status: 200, body: 'hi' }],
  'version 1.0 with a length': ['HTTP/1.0 301 Moved\r\nContent-Length: 0\r\n\r\n', { status: 301, kept: false }],
  'version 1.0 that would be kept': [
    'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\nrest',
    { status: 200, body: 'rest', kept: false },
  ],
  'no content, kept': [
    'HTTP/1.1 204 No content\r\nConnection: keep-alive\r\n\r\n',
    { status: 204, body: '', kept: true },
  ],
  'no content, not kept': ['HTTP/1.1 204 No content\r\nConnection: close\r\n\r\n', { status: 204, kept: false }],
  'not modified with a length': ['HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n', { status: 304, body: '' }],
  'a header that only begins like one': [
    'HTTP/1.1 200 OK\r\nContent-Length-X: 0\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nOK\r\n0\r\n\r\n',
    { status: 200, body: 'OK' },
  ],
  'another protocol offered, not taken': [
    'HTTP/1.1 200 OK\r\nConnection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 4\r\n\r\nbody',
    { status: 200, body: 'body' },
  ],
  'a word before the answer': [
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi',
    { status: 200, body: 'hi' },
  ],
  'two chunks': [
    `${chunks}25\r\nThis is the data in the first chunk\r\n\r\n1C\r\nand this is the second one\r\n\r\n0\r\n\r\n`,
    { status: 200, body: 'This is the data in the first chunk\r\nand this is the second one\r\n', kept: true },
  ],
  'a chunk size with spaces behind it': [`${chunks}2  \r\nhi\r\n0\r\n\r\n`, { status: 200, body: 'hi' }],
  'chunk extensions': [
    `${chunks}2;ilovew3;somuchlove=aretheseparametersfor\r\nhi\r\n0;x="y"\r\n\r\n`,
    { status: 200, body: 'hi' },
  ],
  trailers: [`${chunks}2\r\nhi\r\n0\r\nVary: *\r\nContent-Type: text/plain\r\n\r\n`, { status: 200, body: 'hi' }],
  'leading zeros': [`${chunks}002\r\nhi\r\n000\r\n\r\n`, { status: 200, body: 'hi' }],
  'chunked in capitals': [
    'HTTP/1.1 200 OK\r\nTRANSFER-ENCODING: CHUNKED\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
    { status: 200, body: 'hi' },
  ],
  'a body cut short': ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi', { status: 200, complete: false }],
  'chunks without the last one': [`${chunks}2\r\nhi\r\n`, { status: 200, complete: false }],
  'a head cut short': ['HTTP/1.1 200 OK\r\nX: 1\r\n', { status: 0, complete: false }],
}

/** Bytes on which two readers could disagree, or that are no HTTP. */
const refused: Record<string, string> = {
  'another word': 'HTTPER/1.1 200 OK\r\n\r\n',
  'a word cut short': 'HTP/1.1 200 OK\r\n\r\n',
  'a digit too many before the dot': 'HTTP/01.1 200 OK\r\n\r\n',
  'a digit too many behind the dot': 'HTTP/1.01 200 OK\r\n\r\n',
  'version 0.9': 'HTTP/0.9 200 OK\r\n\r\n',
  'a version nobody knows': 'HTTP/5.6 200 OK\r\n\r\n',
  'a tab behind the version': 'HTTP/1.1\t200 OK\r\n\r\n',
  'a line end and a tab': '\rHTTP/1.1\t200 OK\r\n\r\n',
  'two spaces behind the version': 'HTTP/1.1  200 OK\r\n\r\n',
  'one digit for a status': 'HTTP/1.1 2 OK\r\n\r\n',
  'no space behind the status': 'HTTP/1.1 200OK\r\n\r\n',
  'a status below 100': 'HTTP/1.1 099 OK\r\n\r\n',
  'a space before the first header': 'HTTP/1.1 200 OK\r\n Host: foo\r\n\r\n',
  'headers parted by a carriage return': 'HTTP/1.1 200 OK\r\nFoo: 1\rBar: 2\r\n\r\n',
  'a carriage return in a value': 'HTTP/1.1 200 OK\r\nFoo: 1\r2\r\nContent-Length: 0\r\n\r\n',
  'a space in a name': 'HTTP/1.1 200 OK\r\nFoo Bar: 1\r\n\r\n',
  'a space behind a name': 'HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello',
  'a name without a colon': 'HTTP/1.1 200 OK\r\nFoo\r\n\r\n',
  'no name': 'HTTP/1.1 200 OK\r\n: 1\r\n\r\n',
  'a zero in a value': 'HTTP/1.1 200 OK\r\nFoo: a\0b\r\n\r\n',
  'a folded value': 'HTTP/1.1 200 OK\r\nFoo: a\r\n b\r\n\r\n',
  'a value folded by a tab': 'HTTP/1.1 200 OK\r\nFoo: a\r\n\tb\r\n\r\n',
  'a length of letters': 'HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\n',
  'a length with a sign': 'HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello',
  'a negative length': 'HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello',
  'a length beyond numbers': 'HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551615\r\n\r\n',
  'the same length twice': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello',
  'chunks and a length': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
  'chunks before another coding': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, deflate\r\n\r\nhello',
  'codings on two lines': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\nhello',
  'chunks misspelt': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunkedchunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  'a chunk size of letters': `${chunks}xyz\r\nhi\r\n`,
  'a chunk size beyond numbers': `${chunks}FFFFFFFFFFFFFFFFF\r\nhi\r\n`,
  'a chunk size that ends in a line feed': `${chunks}2\nhi\r\n0\r\n\r\n`,
  'a chunk without its line end': `${chunks}2\r\nhi0\r\n\r\n`,
  'another protocol': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\nbytes',
  'words without end before the answer': 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50),
  'a second answer behind the first':
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
}

/** All at once, byte by byte, and cut in three. */
const cuts: Record<string, (bytes: Buffer) => Buffer[]> = {
  whole: (bytes) => [bytes],
  'byte by byte': (bytes) => Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)),
  'in thirds': (bytes) => {
    const third = Math.ceil(bytes.length / 3)
    return [0, 1, 2].map((part) => bytes.subarray(part * third, (part + 1) * third))
  },
}

describe.each(Object.entries(cuts))('%s', (_, cut) => {
  test.each(Object.entries(fine))('%s is read', (__, [bytes, outcome]) => {
    expect(outcomeOf(cut(Buffer.from(bytes, 'latin1')))).toMatchObject({ complete: true, ...outcome })
  })

  test.each(Object.entries(refused))('%s is refused', (__, bytes) => {
    expect(() => outcomeOf(cut(Buffer.from(bytes, 'latin1')))).toThrow(MalformedAnswer)
  })
})
