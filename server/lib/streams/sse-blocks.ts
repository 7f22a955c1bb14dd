import { Pieces } from './pieces.ts'
import { createSseEventReader } from './sse-event.ts'

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
  /** Whether no block has begun. */
  isEmpty(): boolean
  /** What is left when the stream has ended without a last blank line, which it is given: more may follow it. */
  rest(): SseBlocks
}

const pendingMax = 32 * 1024 * 1024
const lineFeed = 10
const carriageReturn = 13

/** Splits a stream at its blank lines without touching its bytes. Each byte is looked at once, however long an event is. */
export function createSseBlockSplitter(): SseBlockSplitter {
  /** A block begun, in the pieces that brought it, and its last two bytes, the later first. */
  const pending = new Pieces()
  let behind: readonly (number | undefined)[] = []
  const decoder = new TextDecoder()
  const keep = (piece: Uint8Array) => {
    if (piece.length === 0) return
    pending.add(piece)
    behind = [piece.at(-1), piece.length > 1 ? piece.at(-2) : behind[0]]
    if (pending.size > pendingMax) throw new Error('an event of the stream is too long')
  }
  const take = (last: Uint8Array): Uint8Array => {
    if (pending.size === 0) return last
    pending.add(last)
    behind = []
    return pending.take()
  }
  return {
    push(chunk) {
      const end = lastBlankLine(chunk, behind)
      if (end === 0) {
        keep(chunk.slice())
        return nothing
      }
      const bytes = take(end === chunk.length ? chunk : chunk.subarray(0, end))
      keep(chunk.slice(end))
      return { bytes, blocks: blocksOf(decoder.decode(bytes)) }
    },
    isEmpty: () => pending.size === 0,
    rest() {
      const bytes = closed(take(new Uint8Array(0)))
      return { bytes, blocks: blocksOf(decoder.decode(bytes)) }
    },
  }
}

const nothing: SseBlocks = { bytes: new Uint8Array(0), blocks: [] }

/** Where the last whole block ends in a chunk that follows these bytes, the last of them first; 0 when no block ends in it. */
function lastBlankLine(chunk: Uint8Array, before: readonly (number | undefined)[]): number {
  const at = (index: number): number | undefined => (index >= 0 ? chunk[index] : before[-index - 1])
  for (let index = chunk.length - 1; index >= 0; index--) {
    const byte = chunk[index]
    if (byte !== lineFeed && byte !== carriageReturn) continue
    const previous = at(index - 1)
    if (byte === carriageReturn) {
      if (previous === carriageReturn) return index + 1
      continue
    }
    if (previous === lineFeed || (previous === carriageReturn && at(index - 2) === lineFeed)) return index + 1
  }
  return 0
}

function closed(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return bytes
  return Buffer.concat([bytes, Buffer.from(bytes.at(-1) === lineFeed ? '\n' : '\n\n')])
}

function blocksOf(text: string): SseBlock[] {
  const blocks: SseBlock[] = []
  const endOf = text.includes('\r') ? anyBlockEnd : plainBlockEnd
  for (let start = 0; start < text.length; ) {
    const end = endOf(text, start)
    blocks.push(readBlock(text.slice(start, end)))
    start = end
  }
  return blocks
}

function plainBlockEnd(text: string, from: number): number {
  const at = text.indexOf('\n\n', from)
  if (at < 0) return text.length
  let end = at + 2
  // Further blank lines say nothing by themselves.
  while (text.charCodeAt(end) === lineFeed) end += 1
  return end
}

/** Lines may end in either sign or in both. */
function anyBlockEnd(text: string, from: number): number {
  const blankLine = /\n\n|\n\r\n|\r\r/g
  blankLine.lastIndex = from
  return blankLine.test(text) ? blankLine.lastIndex : text.length
}

function withoutLastLineEnds(raw: string): string {
  let end = raw.length
  while (end > 0 && (raw.charCodeAt(end - 1) === lineFeed || raw.charCodeAt(end - 1) === carriageReturn)) end -= 1
  return raw.slice(0, end)
}

function readBlock(raw: string): SseBlock {
  if (raw.startsWith('data: ') && raw.indexOf('\n') === raw.length - 2) {
    return { raw, event: undefined, data: raw.slice(6, -2) }
  }
  const reader = createSseEventReader(pendingMax)
  for (const line of withoutLastLineEnds(raw).split(/\r\n|\n|\r/)) if (line !== '') reader.add(line)
  const frame = reader.take()
  return { raw, event: frame?.event, data: frame?.data }
}
