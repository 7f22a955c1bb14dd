import { type FrameParser, isWhole, type WireFrame } from './frame-parser.ts'
import { createLineSplitter, MAX_FRAME_LENGTH } from './lines.ts'

/** Incremental reader of newline-delimited JSON. */
export function createNdjsonParser(limit = MAX_FRAME_LENGTH): FrameParser {
  const lines = createLineSplitter(limit)
  return {
    push: (chunk) =>
      lines
        .push(chunk)
        .filter((line) => line.trim() !== '')
        .map((data) => ({ data })),
    end() {
      const data = lines.rest()
      return isWhole(data) ? [{ data }] : []
    },
  }
}

export function formatNdjson(frame: WireFrame): string {
  return `${frame.data}\n`
}
