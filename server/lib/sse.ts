import { type FrameParser, isWhole, type WireFrame } from './frame-parser.ts'
import { createLineSplitter, FrameTooLong, MAX_FRAME_LENGTH } from './lines.ts'

function fieldValue(line: string, from: number): string {
  return line.charCodeAt(from) === 32 ? line.slice(from + 1) : line.slice(from)
}

/** Incremental reader of server-sent events. Comments, ids and retry hints are skipped. */
export function createSseParser(limit = MAX_FRAME_LENGTH): FrameParser {
  const lines = createLineSplitter(limit)
  let event: string | undefined
  let meta: string | undefined
  let data: string[] = []
  let length = 0

  const takeFrame = (): WireFrame | undefined => {
    const frame =
      data.length === 0 && meta === undefined
        ? undefined
        : {
            ...(event === undefined ? {} : { event }),
            data: data.join('\n'),
            ...(meta === undefined ? {} : { meta }),
          }
    event = undefined
    meta = undefined
    data = []
    length = 0
    return frame
  }
  const readField = (line: string) => {
    if (line.startsWith('data:')) {
      const value = fieldValue(line, 5)
      length += value.length
      if (length > limit) throw new FrameTooLong(limit)
      data.push(value)
    } else if (line.startsWith('event:')) event = fieldValue(line, 6)
    else if (line.startsWith('meta:')) meta = fieldValue(line, 5)
  }

  return {
    push(chunk) {
      const frames: WireFrame[] = []
      for (const line of lines.push(chunk)) {
        if (line !== '') {
          readField(line)
          continue
        }
        const frame = takeFrame()
        if (frame) frames.push(frame)
      }
      return frames
    },
    end() {
      readField(lines.rest())
      const frame = takeFrame()
      return frame && isWhole(frame.data) ? [frame] : []
    },
  }
}

export function formatSse(frame: WireFrame): string {
  const data = frame.data.includes('\n') ? frame.data.split('\n').join('\ndata: ') : frame.data
  return frame.event === undefined ? `data: ${data}\n\n` : `event: ${frame.event}\ndata: ${data}\n\n`
}
