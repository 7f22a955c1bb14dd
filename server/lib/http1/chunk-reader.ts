import { MalformedAnswer } from './answer.ts'

const lineMax = 4096

/** Reads a body sent in chunks: each a line with its size in hexadecimal, the bytes, an empty line; the last has none. */
export function createChunkReader(piece: (bytes: Buffer) => void, end: () => void): (bytes: Buffer) => void {
  let expected: 'size' | 'gap' | 'trailer' | 'nothing' = 'size'
  let left = 0
  let line = ''

  const readLine = () => {
    if (!line.endsWith('\r')) throw new MalformedAnswer('a line between chunks is malformed')
    const told = line.slice(0, -1)
    line = ''
    if (expected === 'size') {
      const size = /^([\da-f]{1,12})[ \t]*(?:;|$)/i.exec(told)
      if (!size) throw new MalformedAnswer('a chunk without a size')
      left = Number.parseInt(size[1] ?? '', 16)
      expected = left === 0 ? 'trailer' : 'gap'
    } else if (expected === 'gap') {
      if (told !== '') throw new MalformedAnswer('a chunk is longer than it says')
      expected = 'size'
    } else if (told === '') {
      expected = 'nothing'
      end()
    }
  }

  return (bytes) => {
    let at = 0
    while (at < bytes.length) {
      if (expected === 'nothing') throw new MalformedAnswer('bytes behind the end of the answer')
      if (left > 0) {
        const taken = Math.min(left, bytes.length - at)
        piece(bytes.subarray(at, at + taken))
        left -= taken
        at += taken
        continue
      }
      const newline = bytes.indexOf(10, at)
      const until = newline < 0 ? bytes.length : newline
      line += bytes.toString('latin1', at, until)
      if (line.length > lineMax) throw new MalformedAnswer('a line between chunks is too long')
      at = until + 1
      if (newline >= 0) readLine()
    }
  }
}
