import { type ParsedHead, parseHead } from './answer-head.ts'
import { createChunkedBodyReader } from './chunked-body.ts'
import { MalformedAnswer } from './http-response.ts'

/** Hears what an answer consists of, in this order; `end` once, behind the last byte of the body. */
export interface AnswerListener {
  head(head: ParsedHead): void
  body(bytes: Buffer): void
  end(): void
}

/** Takes the answers of a connection apart, one after the other, however their bytes are cut. */
export interface AnswerParser {
  /** Forgets the answer of before. */
  begin(): void
  /** Throws `MalformedAnswer`, also for bytes behind the end of the answer. */
  push(bytes: Buffer): void
  /** The connection has ended: that ends an answer which does not say how long it is. */
  close(): void
}

const headBytesMax = 64 * 1024
const emptyLine = Buffer.from('\r\n\r\n')
const beginning = Buffer.from('HTTP/1.')
const cr = 13
const lf = 10
/** Nobody has that much to say before an answer. */
const interimMax = 20

export function createAnswerParser(listener: AnswerListener): AnswerParser {
  let pending: Buffer | null = null
  let head: ParsedHead | null = null
  let left = 0
  let readChunks: ((bytes: Buffer) => void) | null = null
  let interim = 0

  /** Returns what stands behind the head; null while it is not complete. */
  const readHead = (arrived: Buffer): Buffer | null => {
    const bytes = withoutLineEnds(pending ? Buffer.concat([pending, arrived]) : arrived)
    const at = bytes.indexOf(emptyLine)
    if (at < 0) {
      refuseHopelessHead(bytes)
      pending = bytes
      return null
    }
    pending = null
    const parsed = parseHead(bytes.toString('latin1', 0, at))
    const rest = bytes.subarray(at + emptyLine.length)
    // An interim answer, as "100 Continue", stands before the real one. Nobody asked for another protocol.
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

/** What can become no head any more is not waited for. */
function refuseHopelessHead(bytes: Buffer): void {
  if (bytes.length > headBytesMax) throw new MalformedAnswer('the head is too long')
  const begun = Math.min(bytes.length, beginning.length)
  const isLineEnd = bytes.length === 1 && bytes[0] === cr
  if (!isLineEnd && bytes.compare(beginning, 0, begun, 0, begun) !== 0) throw new MalformedAnswer('this is no HTTP/1.1')
  for (let at = bytes.indexOf(lf); at >= 0; at = bytes.indexOf(lf, at + 1)) {
    if (bytes[at - 1] !== cr) throw new MalformedAnswer('a line of the head ends in a line feed alone')
  }
}
