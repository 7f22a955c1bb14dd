import { MalformedAnswer } from './http-response.ts'

const cr = 13
const lf = 10

/** What the next byte belongs to. Lines end in CR LF, nothing else. */
type Place =
  | 'size'
  | 'extension'
  | 'size end'
  | 'data'
  | 'behind data'
  | 'chunk end'
  | 'trailer'
  | 'trailer line'
  | 'trailer line end'
  | 'last end'
  | 'nothing'

const semicolon = 59
/** What may follow a size: names, each with or without a value. */
const extensions = /^(?:;[!#$%&'*+\-.^_`|~\w]+(?:=(?:[!#$%&'*+\-.^_`|~\w]+|"(?:[^"\\]|\\.)*"))?)+$/
const digitsMax = 12
/** What follows the last chunk is read by nobody. */
const trailerBytesMax = 64 * 1024
const lineMax = 4096

/** The digit's value; -1 for any other byte. */
function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const lower = byte | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

/** The next state, if the byte is the expected one. */
function onlyIf(isThere: boolean, next: Place): Place {
  if (!isThere) throw new MalformedAnswer('the chunks of the answer are malformed')
  return next
}

/** The data among bytes that arrived together, as one piece: a chunk may be as small as a byte. */
function gathering(bytes: Buffer) {
  let first = 0
  let length = 0
  let gathered: Buffer | null = null
  return {
    add(from: number, to: number): void {
      if (length === 0) first = from
      else {
        gathered ??= begun(bytes, first, length)
        if (to - from > 1) bytes.copy(gathered, length, from, to)
        else gathered[length] = bytes[from] ?? 0
      }
      length += to - from
    },
    pass(piece: (bytes: Buffer) => void): void {
      if (length > 0) piece(gathered ? gathered.subarray(0, length) : bytes.subarray(first, first + length))
      length = 0
      gathered = null
    },
  }
}

function begun(bytes: Buffer, first: number, length: number): Buffer {
  const gathered = Buffer.allocUnsafe(bytes.length)
  bytes.copy(gathered, 0, first, first + length)
  return gathered
}

/** Reads a body sent in chunks: each a line with its size in hexadecimal, the bytes, an empty line; the last has none. */
export function createChunkedBodyReader(piece: (bytes: Buffer) => void, end: () => void): (bytes: Buffer) => void {
  let place: Place = 'size'
  let left = 0
  let digits = 0
  let line = ''
  let trailerBytes = 0

  /** Skips to the end of a line whose content does not matter, but which must be well-formed. */
  const skip = (byte: number, here: Place, lineEnd: Place, form?: RegExp): Place => {
    if (byte !== cr) {
      line += String.fromCharCode(byte)
      return onlyIf(byte !== lf && line.length <= lineMax, here)
    }
    const isWellFormed = form === undefined || form.test(line)
    line = ''
    return onlyIf(isWellFormed, lineEnd)
  }
  const size = (byte: number): Place => {
    const digit = hexDigit(byte)
    if (digit < 0) {
      const isOver = digits > 0
      digits = 0
      if (byte === cr) return onlyIf(isOver, 'size end')
      line = ';'
      return onlyIf(isOver && byte === semicolon, 'extension')
    }
    left = left * 16 + digit
    digits += 1
    return onlyIf(digits <= digitsMax, 'size')
  }
  const follow = (byte: number): Place => {
    switch (place) {
      case 'size':
        return size(byte)
      case 'extension':
        return skip(byte, 'extension', 'size end', extensions)
      case 'size end':
        return onlyIf(byte === lf, left > 0 ? 'data' : 'trailer')
      case 'behind data':
        return onlyIf(byte === cr, 'chunk end')
      case 'chunk end':
        return onlyIf(byte === lf, 'size')
      case 'trailer':
        trailerBytes += 1
        return byte === cr ? 'last end' : onlyIf(byte !== lf, 'trailer line')
      case 'trailer line':
        trailerBytes += 1
        onlyIf(trailerBytes <= trailerBytesMax, 'trailer line')
        return skip(byte, 'trailer line', 'trailer line end')
      case 'trailer line end':
        return onlyIf(byte === lf, 'trailer')
      case 'last end':
        return onlyIf(byte === lf, 'nothing')
      default:
        throw new MalformedAnswer('bytes behind the end of the answer')
    }
  }

  return (bytes) => {
    const found = gathering(bytes)
    try {
      for (let at = 0; at < bytes.length; ) {
        if (place === 'data') {
          const taken = Math.min(left, bytes.length - at)
          found.add(at, at + taken)
          left -= taken
          at += taken
          if (left === 0) place = 'behind data'
          continue
        }
        place = follow(bytes[at] ?? 0)
        at += 1
        if (place !== 'nothing') continue
        found.pass(piece)
        end()
      }
    } finally {
      // What came before a mistake is part of the answer.
      found.pass(piece)
    }
  }
}
