import type { FrameParser, WireFrame } from './frame-parser.ts'
import { FrameTooLong, MAX_FRAME_LENGTH } from './lines.ts'

const QUOTE = 34
const BACKSLASH = 92
const OPEN = 123
const CLOSE = 125

/**
 * Incremental reader of one streamed JSON array: each object in it is a frame as soon as its last brace arrives. An object
 * outside an array (an error, mostly) is a frame too.
 */
export function createJsonArrayParser(limit = MAX_FRAME_LENGTH): FrameParser {
  const decoder = new TextDecoder()
  let pieces: string[] = []
  let held = 0
  let depth = 0
  let inString = false
  let escaped = false

  const hold = (text: string) => {
    pieces.push(text)
    held += text.length
    if (held > limit) throw new FrameTooLong(limit)
  }
  const takeObject = (tail: string): WireFrame => {
    hold(tail)
    const data = pieces.join('')
    pieces = []
    held = 0
    return { data }
  }
  const insideString = (code: number) => {
    if (escaped) escaped = false
    else if (code === BACKSLASH) escaped = true
    else if (code === QUOTE) inString = false
  }

  return {
    push(chunk) {
      const text = decoder.decode(chunk, { stream: true })
      const frames: WireFrame[] = []
      let from = 0
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at)
        if (inString) insideString(code)
        else if (code === QUOTE) inString = depth > 0
        else if (code === OPEN) {
          if (depth === 0) from = at
          depth++
        } else if (code === CLOSE && depth > 0) {
          depth--
          if (depth === 0) frames.push(takeObject(text.slice(from, at + 1)))
        }
      }
      if (depth > 0) hold(text.slice(from))
      return frames
    },
    end: () => [],
  }
}

export interface JsonArrayWriter {
  write(frame: WireFrame): string
  end(): string
}

export function createJsonArrayWriter(): JsonArrayWriter {
  let opened = false
  return {
    write(frame) {
      const text = `${opened ? ',\r\n' : '['}${frame.data}`
      opened = true
      return text
    },
    end: () => (opened ? ']' : '[]'),
  }
}
