import { expect, test } from 'bun:test'
import { checkTable } from '#shared/testing/table.ts'
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
  'chunk extensions in quotes': [
    `${chunks}5;a="I love; b";c="d";e;f=g\r\nhello\r\n6;h;i\r\n world\r\n0\r\n\r\n`,
    { status: 200, body: 'hello world' },
  ],
  'a chunk of a line end': [`${chunks}1\r\n\n\r\n0\r\n\r\n`, { status: 200, body: '\n' }],
  'chunks where another protocol was offered': [
    'HTTP/1.1 200 OK\r\nConnection: upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n2\r\ndy\r\n0\r\n\r\n',
    { status: 200, body: 'body' },
  ],
  'another protocol offered, up to the end of the connection': [
    'HTTP/1.1 200 OK\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\nbody',
    { status: 200, body: 'body', kept: false },
  ],
  'no body, though it looks like a second answer': [
    'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK',
    { status: 200, body: 'HTTP/1.1 200 OK', kept: false },
  ],
  'to be closed, up to the end of the connection': [
    'HTTP/1.1 200 OK\r\nServer: Apache\r\nContent-Type: text/xml; charset=utf-8\r\nConnection: close\r\n\r\n<?xml version="1.0"?>\n<a>\n</a>',
    { status: 200, body: '<?xml version="1.0"?>\n<a>\n</a>', kept: false },
  ],
  'to be closed, with its length': [
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello',
    { status: 200, body: 'hello', kept: false },
  ],
  'a proxy that would close': [
    'HTTP/1.1 200 OK\r\nContent-Length: 11\r\nProxy-Connection: close\r\n\r\nhello world',
    { status: 200, body: 'hello world' },
  ],
  'version 1.0 without content': [
    'HTTP/1.0 204 No content\r\nConnection: keep-alive\r\n\r\n',
    { status: 204, body: '', kept: false },
  ],
  'not modified, in chunks': [
    'HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n',
    { status: 304, body: '' },
  ],
  'a word before the answer with a line too many': [
    'HTTP/1.1 100 Continue\r\n\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 14\r\n\r\n404: Not Found',
    { status: 404, body: '404: Not Found', kept: true },
  ],
  'lines before the answer': [
    '\r\n\r\nHTTP/1.1 200 OK\r\nHeader1: Value1\r\nHeader2:\t Value2\r\nContent-Length: 0\r\n\r\n',
    { status: 200, body: '' },
  ],
  'hints before a kept answer': [
    'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\nContent-Length: 4\r\n\r\nhere',
    { status: 200, body: 'here', kept: true },
  ],
  'tabs around a length': ['HTTP/1.1 200 OK\r\nContent-Length:\t2\t\r\n\r\nhi', { status: 200, body: 'hi' }],
  'spaces around a length': ['HTTP/1.1 200 OK\r\nContent-Length:  2  \r\n\r\nhi', { status: 200, body: 'hi' }],
  'signs in names': [
    'HTTP/1.1 200 OK\r\nX-$A: 1\r\n.et-B: 2\r\n_c: 3\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n',
    { status: 200, body: '', kept: false },
  ],
  'a value of a space before a length': [
    'HTTP/1.0 301 Moved\r\nPragma: \r\nLocation: /\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n',
    { status: 301, body: '', kept: false },
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
  'two digits before the dot': 'HTTP/11.1 200 OK\r\n\r\n',
  RTSP: 'RTSP/1.1 200 OK\r\n\r\n',
  ICE: 'ICE/1.1 200 OK\r\n\r\n',
  'a carriage return behind the status line': 'HTTP/1.1 200 OK\rContent-Length: 0\r\n\r\n',
  'two carriage returns behind the status line': 'HTTP/1.1 200 OK\r\rContent-Length: 4\r\n\r\nEvil',
  'line feeds alone': 'HTTP/1.1 200 OK\nContent-Length: 0\n\n',
  'line feeds alone and a body': 'HTTP/1.1 200 OK\nFoo: abc\nBar: def\n\nBODY\n',
  'line feeds alone up to the end of the connection':
    'HTTP/1.1 200 OK\nContent-Type: text/html\nConnection: close\n\nthese lines',
  'a length behind a form feed': 'HTTP/1.1 200 OK\r\nContent-Length:\f2\r\n\r\nhi',
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
  'a chunk size with spaces behind it': `${chunks}2  \r\nhi\r\n0\r\n\r\n`,
  'an extension without a semicolon': `${chunks}2 erfr\r\naa\r\n0 rrrr\r\n\r\n`,
  'a semicolon without an extension': `${chunks}2;\r\naa\r\n0\r\n\r\n`,
  'an extension that does not close its quotes': `${chunks}5;a="abc";b="def; ghi\r\nhello\r\n0\r\n\r\n`,
  'a coding that is folded': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n  abc\r\n\r\n5\r\nWorld\r\n0\r\n\r\n',
  'a chunk without its line end': `${chunks}2\r\nhi0\r\n\r\n`,
  'another protocol': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\nbytes',
  'another protocol with a length':
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 4\r\n\r\nbodyproto',
  'another protocol in chunks':
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n0\r\n\r\nproto',
  'bytes behind an answer to be closed':
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\n2ad731e3-4dcd',
  'an answer behind one without content': 'HTTP/1.1 204 No content\r\n\r\nHTTP/1.1 200 OK',
  'an answer behind one of version 1.0 without content':
    'HTTP/1.0 204 No content\r\nConnection: keep-alive\r\n\r\nHTTP/1.0 200 OK',
  'an answer behind one without content that is to be closed':
    'HTTP/1.1 204 No content\r\nConnection: close\r\n\r\nHTTP/1.1 200 OK',
  'an answer behind one that was not modified':
    'HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  'words without end before the answer': 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50),
  'three answers in a row':
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nAAA\r\nHTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nBBBB\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 5\r\n\r\nCCCC',
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

test.each(Object.entries(cuts))('answers of all kinds of servers are read: %s', async (_, cut) => {
  await checkTable(Object.entries(fine), async ([bytes, outcome]) => {
    expect(outcomeOf(cut(Buffer.from(bytes, 'latin1')))).toMatchObject({ complete: true, ...outcome })
  })
})

test.each(Object.entries(cuts))('what could be read in two ways is refused: %s', async (_, cut) => {
  await checkTable(Object.entries(refused), async (bytes) => {
    expect(() => outcomeOf(cut(Buffer.from(bytes, 'latin1')))).toThrow(MalformedAnswer)
  })
})
