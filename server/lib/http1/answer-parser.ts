import { type ParsedHead, parseHead } from './answer-head.ts'
import { createChunkedBodyReader } from './chunked-body.ts'
import { MalformedAnswer } from './http-response.ts'

/** Receives the parts of an answer in this order; `end` once, after the last byte of the body. */
export interface AnswerListener {
  head(head: ParsedHead): void
  body(bytes: Buffer): void
  end(): void
}

/** Parses the answers of a connection one after the other, wherever the bytes are split. */
export interface AnswerParser {
  /** Starts the next answer. */
  begin(): void
  /** Throws `MalformedAnswer`, also for bytes after the end of the answer. */
  push(bytes: Buffer): void
  /** The connection has closed, which ends an answer without a declared length. */
  close(): void
}

const headBytesMax = 64 * 1024
const emptyLine = Buffer.from('\r\n\r\n')
const beginning = Buffer.from('HTTP/1.')
const cr = 13
const lf = 10
/** Interim answers before the final one; more are an attack or a fault. */
const interimMax = 20

export function createAnswerParser(listener: AnswerListener): AnswerParser {
  let pending: Buffer | null = null
  let head: ParsedHead | null = null
  let left = 0
  let readChunks: ((bytes: Buffer) => void) | null = null
  let interim = 0

  /** Returns the bytes after the head; null while the head is incomplete. */
  const readHead = (arrived: Buffer): Buffer | null => {
    const bytes = withoutLineEnds(pending ? Buffer.concat([pending, arrived]) : arrived)
    const at = bytes.indexOf(emptyLine)
    if (at < 0) {
      refuseInvalidHead(bytes)
      pending = bytes
      return null
    }
    pending = null
    const parsed = parseHead(bytes.toString('latin1', 0, at))
    const rest = bytes.subarray(at + emptyLine.length)
    // An interim answer such as "100 Continue" comes before the final one. We never ask for another protocol.
    if (parsed.status < 200) {
      interim += 1
      if (parsed.status === 101 || interim > interimMax) throw new MalformedAnswer('no answer follows')
      return readHead(rest)
    }
    head = parsed
    left = parsed.bytes
    listener.head(parsed)
    if (parsed.framing === 'chunks') readChunks = createChunkedBodyReader(listener.body, listener.end)
    else if (parsed.framing === 'length' && left === 0) listener.end()
    return rest
  }

  const readCounted = (bytes: Buffer): void => {
    if (bytes.length > left) throw new MalformedAnswer('bytes behind the end of the answer')
    left -= bytes.length
    listener.body(bytes)
    if (left === 0) listener.end()
  }

  const readBody = (bytes: Buffer): void => {
    if (readChunks) readChunks(bytes)
    else if (head?.framing === 'close') listener.body(bytes)
    else readCounted(bytes)
  }

  return {
    begin() {
      pending = null
      head = null
      readChunks = null
      interim = 0
    },
    push(bytes) {
      const rest = head ? bytes : readHead(bytes)
      if (rest && rest.length > 0) readBody(rest)
    },
    close() {
      if (head?.framing === 'close') listener.end()
    },
  }
}

/** Some servers end an interim answer with a line too many. */
function withoutLineEnds(bytes: Buffer): Buffer {
  let from = 0
  while (bytes[from] === cr && bytes[from + 1] === lf) from += 2
  return from === 0 ? bytes : bytes.subarray(from)
}

/** Bytes that cannot be the beginning of a head are refused at once. */
function refuseInvalidHead(bytes: Buffer): void {
  if (bytes.length > headBytesMax) throw new MalformedAnswer('the head is too long')
  const begun = Math.min(bytes.length, beginning.length)
  const isLineEnd = bytes.length === 1 && bytes[0] === cr
  if (!isLineEnd && bytes.compare(beginning, 0, begun, 0, begun) !== 0) throw new MalformedAnswer('this is no HTTP/1.1')
  for (let at = bytes.indexOf(lf); at >= 0; at = bytes.indexOf(lf, at + 1)) {
    if (bytes[at - 1] !== cr) throw new MalformedAnswer('a line of the head ends in a line feed alone')
  }
}
