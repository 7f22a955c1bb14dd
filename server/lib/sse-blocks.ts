/** One server-sent event with its exact text, the blank line included. */
export interface SseBlock {
  readonly raw: string
  readonly event: string | undefined
  /** Undefined for comments and other blocks without data. */
  readonly data: string | undefined
}

export interface SseBlocks {
  /** Whole blocks as the very bytes that arrived; a block begun is kept for the next push. */
  readonly bytes: Uint8Array
  readonly blocks: readonly SseBlock[]
}

export interface SseBlockSplitter {
  push(chunk: Uint8Array): SseBlocks
  /** What is left when the stream has ended without a last blank line. */
  rest(): SseBlocks
}

const pendingMax = 16 * 1024 * 1024
const lineFeed = 10
const carriageReturn = 13

/** Splits a stream at its blank lines without touching its bytes. */
export function createSseBlockSplitter(): SseBlockSplitter {
  let pending: Uint8Array | null = null
  const decoder = new TextDecoder()
  return {
    push(chunk) {
      const bytes = pending ? joined(pending, chunk) : chunk
      const end = lastBlankLine(bytes)
      if (bytes.length - end > pendingMax) throw new Error('an event of the stream is too long')
      pending = end === bytes.length ? null : bytes.slice(end)
      const ready = end === bytes.length ? bytes : bytes.subarray(0, end)
      return { bytes: ready, blocks: blocksOf(decoder.decode(ready)) }
    },
    rest() {
      const bytes = pending ?? new Uint8Array(0)
      pending = null
      return { bytes, blocks: blocksOf(decoder.decode(bytes)) }
    },
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

/** Where the last whole block ends; 0 when there is none. */
function lastBlankLine(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at > 0; at--) {
    if (bytes[at] !== lineFeed) continue
    if (bytes[at - 1] === lineFeed) return at + 1
    if (bytes[at - 1] === carriageReturn && bytes[at - 2] === lineFeed) return at + 1
  }
  return 0
}

function blocksOf(text: string): SseBlock[] {
  const blocks: SseBlock[] = []
  for (let start = 0; start < text.length; ) {
    const end = blockEnd(text, start)
    blocks.push(readBlock(text.slice(start, end)))
    start = end
  }
  return blocks
}

function blockEnd(text: string, from: number): number {
  const plain = text.indexOf('\n\n', from)
  const windows = text.indexOf('\n\r\n', from)
  if (plain < 0 && windows < 0) return text.length
  if (windows < 0 || (plain >= 0 && plain < windows)) return plain + 2
  return windows + 3
}

function readBlock(raw: string): SseBlock {
  if (raw.startsWith('data: ') && raw.indexOf('\n') === raw.length - 2) {
    return { raw, event: undefined, data: raw.slice(6, -2) }
  }
  // Google reports errors as an object that stands bare in the stream.
  if (raw.startsWith('{')) return { raw, event: undefined, data: raw }
  let event: string | undefined
  let data: string | undefined
  for (const line of raw.split(/\r?\n/)) {
    if (line.startsWith('data:')) {
      const value = line.charCodeAt(5) === 32 ? line.slice(6) : line.slice(5)
      data = data === undefined ? value : `${data}\n${value}`
    } else if (line.startsWith('event:')) event = line.slice(6).trim()
  }
  return { raw, event, data }
}
