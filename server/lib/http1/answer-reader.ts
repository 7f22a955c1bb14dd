import type { ParsedHead } from './answer-head.ts'
import { createAnswerParser } from './answer-parser.ts'
import { decompressed } from './decompressed.ts'
import type { HttpResponse } from './http-response.ts'
import { type Flow, IncomingAnswer } from './incoming-answer.ts'

/** Builds answers from what a connection receives, one after the other. */
export interface AnswerReader {
  /** Another request was sent; its exchange gets the answer as soon as the head is complete. */
  begin(answered: (answer: HttpResponse) => void): void
  /** True when the answer is complete. Throws `MalformedAnswer`. */
  push(bytes: Buffer): boolean
  /** The connection has ended; true when the answer is complete with that. */
  close(): boolean
  /** Breaks the answer off; false when it has not been handed over yet. */
  fail(error: Error): boolean
  /** For how long the connection may be kept, in milliseconds; null when not declared, 0 when not at all. */
  keptMs(): number | null
}

const nobody = (_: HttpResponse): void => {}

export function createAnswerReader(flow: Flow): AnswerReader {
  /** Null between two answers: an idle connection keeps none in memory. */
  let answer: IncomingAnswer | null = null
  let head: ParsedHead | null = null
  let isOver = false
  let give = nobody
  const parser = createAnswerParser({
    head(parsed) {
      if (!answer) return
      answer.begin(parsed)
      give(decompressed(answer))
      head = parsed
    },
    body: (bytes) => answer?.push(bytes),
    end() {
      isOver = true
      answer?.end()
    },
  })
  const forget = () => {
    answer = null
    give = nobody
  }
  const handOver = (): boolean => {
    answer?.flush()
    if (isOver) forget()
    return isOver
  }
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
      return handOver()
    },
    close() {
      parser.close()
      return handOver()
    },
    fail(error) {
      answer?.fail(error)
      forget()
      return head !== null
    },
    keptMs: () => (head?.keepAlive === true ? head.keptMs : 0),
  }
}
