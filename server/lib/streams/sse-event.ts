import type { WireFrame } from './frame-parser.ts'
import { FrameTooLong, MAX_FRAME_LENGTH } from './lines.ts'

/** Collects the lines of one server-sent event: the one grammar of all who read such streams. */
export interface SseEventReader {
  /** A line that is not blank. Comments, ids and retry hints say nothing. */
  add(line: string): void
  /** The event of the lines so far, undefined without data; then begins the next one. */
  take(): WireFrame | undefined
}

const fieldValue = (line: string, from: number): string =>
  line.charCodeAt(from) === 32 ? line.slice(from + 1) : line.slice(from)

/** A JSON object without `data:`, on one or more lines, is an event too: Google reports errors so. */
export function createSseEventReader(limit = MAX_FRAME_LENGTH): SseEventReader {
  let event: string | undefined
  let meta: string | undefined
  let data: string | undefined
  let isBare = false
  const addData = (value: string) => {
    data = data === undefined ? value : `${data}\n${value}`
    if (data.length > limit) throw new FrameTooLong(limit)
  }
  return {
    add(line) {
      if (line.startsWith('data:')) addData(fieldValue(line, 5))
      else if (isBare || (line.startsWith('{') && data === undefined)) {
        isBare = true
        addData(line)
      } else if (line.startsWith('event:')) event = fieldValue(line, 6).trimEnd()
      else if (line.startsWith('meta:')) meta = fieldValue(line, 5)
    },
    take() {
      const frame =
        data === undefined && meta === undefined
          ? undefined
          : { ...(event === undefined ? {} : { event }), data: data ?? '', ...(meta === undefined ? {} : { meta }) }
      event = undefined
      meta = undefined
      data = undefined
      isBare = false
      return frame
    },
  }
}
