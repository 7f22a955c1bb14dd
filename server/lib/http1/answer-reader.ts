import type { ParsedHead } from './answer-head.ts'
import { createAnswerParser } from './answer-parser.ts'
import { decompressed } from './decompressed.ts'
import type { HttpResponse } from './http-response.ts'
import { type Flow, IncomingAnswer } from './incoming-answer.ts'

/** Puts answers together from what a connection receives, one after the other. */
export interface AnswerReader {
  /** Another request was sent; whoever waits for its answer gets it with its head. */
  begin(answered: (answer: HttpResponse) => void): void
  /** True when the answer is complete. Throws `MalformedAnswer`. */
  push(bytes: Buffer): boolean
  /** The connection has ended; true when the answer is complete with that. */
  close(): boolean
  /** Breaks the answer off; false when nobody has got it yet. */
  fail(error: Error): boolean
  /** For how long the connection may be kept, in milliseconds; null when the upstream does not say, 0 when not at all. */
  keptMs(): number | null
}

export function createAnswerReader(flow: Flow): AnswerReader {
  let answer = new IncomingAnswer(flow)
  let head: ParsedHead | null = null
  let isOver = false
  let give: (answer: HttpResponse) => void = () => {}
  const parser = createAnswerParser({
    head(parsed) {
      answer.begin(parsed)
      give(decompressed(answer))
      head = parsed
    },
    body: (bytes) => answer.push(bytes),
    end() {
      isOver = true
      answer.end()
    },
  })
  return {
    begin(answered) {
      answer = new IncomingAnswer(flow)
      head = null
      isOver = false
      give = answered
      parser.begin()
    },
    push(bytes) {
      parser.push(bytes)
      answer.flush()
      return isOver
    },
    close() {
      parser.close()
      answer.flush()
      return isOver
    },
    fail(error) {
      answer.fail(error)
      return head !== null
    },
    keptMs: () => (head?.keepAlive === true ? head.keptMs : 0),
  }
}
