import { type FrameParser, isWhole, type WireFrame } from './frame-parser.ts'
import { createLineSplitter, MAX_FRAME_LENGTH } from './lines.ts'
import { createSseEventReader } from './sse-event.ts'

/** Incremental reader of server-sent events. */
export function createSseParser(limit = MAX_FRAME_LENGTH): FrameParser {
  const lines = createLineSplitter(limit)
  const reader = createSseEventReader(limit)
  return {
    push(chunk) {
      const frames: WireFrame[] = []
      for (const line of lines.push(chunk)) {
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
