import { type FrameParser, isWhole, type WireFrame } from './frame-parser.ts'
import { createLineSplitter, MAX_FRAME_LENGTH } from './lines.ts'
import { createSseEventReader } from './sse-event.ts'

const lineFeed = 10
const carriageReturn = 13

/** Makes one line feed of every line end: lines may end in either sign or in both, wherever the chunks are cut. */
function createLineEnds(): (chunk: Uint8Array) => Uint8Array {
  let isBehindReturn = false
  return (chunk) => {
    if (!isBehindReturn && !chunk.includes(carriageReturn)) return chunk
    const plain = new Uint8Array(chunk.length)
    let length = 0
    for (const byte of chunk) {
      if (byte !== lineFeed || !isBehindReturn) plain[length++] = byte === carriageReturn ? lineFeed : byte
      isBehindReturn = byte === carriageReturn
    }
    return plain.subarray(0, length)
  }
}

/** Incremental reader of server-sent events. */
export function createSseParser(limit = MAX_FRAME_LENGTH): FrameParser {
  const lines = createLineSplitter(limit)
  const reader = createSseEventReader(limit)
  const plain = createLineEnds()
  return {
    push(chunk) {
      const frames: WireFrame[] = []
      for (const line of lines.push(plain(chunk))) {
        if (line !== '') {
          reader.add(line)
          continue
        }
        const frame = reader.take()
        if (frame) frames.push(frame)
      }
      return frames
    },
    end() {
      const rest = lines.rest()
      if (rest !== '') reader.add(rest)
      const frame = reader.take()
      return frame && isWhole(frame.data) ? [frame] : []
    },
  }
}

export function formatSse(frame: WireFrame): string {
  if (frame.bare) return `${frame.data}\n`
  const data = frame.data.includes('\n') ? frame.data.split('\n').join('\ndata: ') : frame.data
  return frame.event === undefined ? `data: ${data}\n\n` : `event: ${frame.event}\ndata: ${data}\n\n`
}
