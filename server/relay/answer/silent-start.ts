/** How much an upstream may send before the first content: comments, blank lines, frames that say nothing. */
export const silentBytesMax = 1024 * 1024

/** Behind the limit pieces are this small, so that what begins there is seen there. */
const behindBytes = 4 * 1024

const lineFeed = 10
const carriageReturn = 13

function lastLineEnd(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= 0; at -= 1)
    if (bytes[at] === lineFeed || bytes[at] === carriageReturn) return at
  return -1
}

/** Follows what comes before the first content of a stream. A line that has begun may itself be the content. */
export interface SilentStart {
  /** The bytes in pieces that end at the limit. */
  pieces(bytes: Uint8Array): Iterable<Uint8Array>
  /** Whether whole lines without content have become too many. */
  isTooLong(): boolean
}

export function createSilentStart(): SilentStart {
  let read = 0
  let silent = 0
  return {
    *pieces(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const size = read < silentBytesMax ? silentBytesMax - read : behindBytes
        const piece = at === 0 && bytes.length <= size ? bytes : bytes.subarray(at, at + size)
        const lineEnd = lastLineEnd(piece)
        if (lineEnd >= 0) silent = read + lineEnd + 1
        read += piece.length
        at += piece.length
        yield piece
      }
    },
    isTooLong: () => silent > silentBytesMax,
  }
}

const blanks: ReadonlySet<number> = new Set([9, lineFeed, carriageReturn, 32])

/** Whether a whole answer begins with more blanks than it may. */
export function hasLongBlankStart(bytes: Uint8Array): boolean {
  if (bytes.length <= silentBytesMax) return false
  for (let at = 0; at <= silentBytesMax; at += 1) if (!blanks.has(bytes[at] ?? 0)) return false
  return true
}
