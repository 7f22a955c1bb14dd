/** Longest line (or frame) accepted from the other side, in characters. */
export const MAX_FRAME_LENGTH = 32 * 1024 * 1024

/** The other side sent a line or frame longer than we are ready to hold. */
export class FrameTooLong extends Error {
  constructor(limit: number) {
    super(`A stream frame is longer than ${limit} characters`)
    this.name = 'FrameTooLong'
  }
}

export interface LineSplitter {
  /** Lines this chunk completes, without their line ends. */
  push(chunk: Uint8Array): string[]
  /** The unfinished last line, or '' when the text ended with a line end. */
  rest(): string
}

/** Cuts UTF-8 bytes into lines ended by \n or \r\n, wherever the chunks are cut. */
export function createLineSplitter(limit = MAX_FRAME_LENGTH): LineSplitter {
  const decoder = new TextDecoder()
  let pieces: string[] = []
  let held = 0

  const takeLine = (tail: string) => {
    const line = pieces.length === 0 ? tail : pieces.join('') + tail
    pieces = []
    held = 0
    if (line.length > limit) throw new FrameTooLong(limit)
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }
  const hold = (text: string) => {
    if (text === '') return
    pieces.push(text)
    held += text.length
    if (held > limit) throw new FrameTooLong(limit)
  }

  return {
    push(chunk) {
      const text = decoder.decode(chunk, { stream: true })
      const lines: string[] = []
      let from = 0
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
        lines.push(takeLine(text.slice(from, at)))
        from = at + 1
      }
      hold(text.slice(from))
      return lines
    },
    rest: () => takeLine(''),
  }
}
