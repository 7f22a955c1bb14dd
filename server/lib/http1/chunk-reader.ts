import { MalformedAnswer } from './answer.ts'

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

const digitsMax = 12
const lineMax = 4096

/** The digit's value; -1 for any other byte. */
function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const lower = byte | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

/** Reads a body sent in chunks: each a line with its size in hexadecimal, the bytes, an empty line; the last has none. */
export function createChunkReader(piece: (bytes: Buffer) => void, end: () => void): (bytes: Buffer) => void {
  let place: Place = 'size'
  let left = 0
  let digits = 0
  let lineLength = 0

  const expect = (isThere: boolean, next: Place) => {
    if (!isThere) throw new MalformedAnswer('the chunks of the answer are malformed')
    place = next
    lineLength = 0
  }
  /** Goes on until the line ends. */
  const skip = (byte: number, next: Place) => {
    lineLength += 1
    if (byte === cr) expect(true, next)
    else if (byte === lf || lineLength > lineMax) expect(false, next)
  }

  const read = (byte: number): void => {
    switch (place) {
      case 'size': {
        const digit = hexDigit(byte)
        if (digit < 0)
          return expect(
            digits > 0 && (byte === cr || byte === 59 || byte === 32 || byte === 9),
            byte === cr ? 'size end' : 'extension',
          )
        left = left * 16 + digit
        digits += 1
        return expect(digits <= digitsMax, 'size')
      }
      case 'extension':
        return skip(byte, 'size end')
      case 'size end':
        digits = 0
        return expect(byte === lf, left > 0 ? 'data' : 'trailer')
      case 'behind data':
        return expect(byte === cr, 'chunk end')
      case 'chunk end':
        return expect(byte === lf, 'size')
      case 'trailer':
        return byte === cr ? expect(true, 'last end') : expect(byte !== lf, 'trailer line')
      case 'trailer line':
        return skip(byte, 'trailer line end')
      case 'trailer line end':
        return expect(byte === lf, 'trailer')
      case 'last end':
        expect(byte === lf, 'nothing')
        return end()
      default:
        throw new MalformedAnswer('bytes behind the end of the answer')
    }
  }

  return (bytes) => {
    let at = 0
    while (at < bytes.length) {
      if (place !== 'data') {
        read(bytes[at] ?? 0)
        at += 1
        continue
      }
      const taken = Math.min(left, bytes.length - at)
      piece(bytes.subarray(at, at + taken))
      left -= taken
      at += taken
      if (left === 0) place = 'behind data'
    }
  }
}
