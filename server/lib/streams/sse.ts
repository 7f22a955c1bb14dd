import { type FrameParser, isWhole, type WireFrame } from './frame-parser.ts'
import { createLineSplitter, FrameTooLong, MAX_FRAME_LENGTH } from './lines.ts'

function fieldValue(line: string, from: number): string {
  return line.charCodeAt(from) === 32 ? line.slice(from + 1) : line.slice(from)
}

/**
 * Incremental reader of server-sent events. Comments, ids and retry hints are skipped. An object that stands bare in the
 * stream, on one line or spread over many, is a frame too: Google reports errors so.
 */
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
  const addData = (value: string) => {
    length += value.length
    if (length > limit) throw new FrameTooLong(limit)
    data.push(value)
  }
  const readField = (line: string) => {
    if (line.startsWith('data:')) addData(fieldValue(line, 5))
    else if (line.startsWith('{') || data[0] === '{') addData(line)
    else if (line.startsWith('event:')) event = fieldValue(line, 6)
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
      const rest = lines.rest()
      if (rest !== '') readField(rest)
      const frame = takeFrame()
      return frame && isWhole(frame.data) ? [frame] : []
    },
  }
}

export function formatSse(frame: WireFrame): string {
  if (frame.bare) return `${frame.data}\n`
  const data = frame.data.includes('\n') ? frame.data.split('\n').join('\ndata: ') : frame.data
  return frame.event === undefined ? `data: ${data}\n\n` : `event: ${frame.event}\ndata: ${data}\n\n`
}
