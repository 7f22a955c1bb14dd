import type { ParsedHead } from './answer-head.ts'
import { createAnswerParser } from './answer-parser.ts'
import { createBodyQueue, type Flow } from './body-queue.ts'
import { decompressed } from './decompressed.ts'
import type { HttpResponse } from './http-response.ts'

/** Puts one answer together from what a connection receives. */
export interface AnswerReader {
  /** True when the answer is complete. Throws `MalformedAnswer`. */
  push(bytes: Buffer): boolean
  /** The connection has ended; true when the answer is complete with that. */
  close(): boolean
  /** Breaks the answer off; false when nobody has got it yet. */
  fail(error: Error): boolean
  /** For how long the connection may be kept, in milliseconds; null when the upstream does not say, 0 when not at all. */
  keptMs(): number | null
}

export function createAnswerReader(flow: Flow, answered: (answer: HttpResponse) => void): AnswerReader {
  const body = createBodyQueue(flow)
  let head: ParsedHead | null = null
  let isOver = false
  const parser = createAnswerParser({
    head(parsed) {
      const { status, header } = parsed
      answered(decompressed({ status, header, next: body.next, text: body.text }))
      head = parsed
    },
    body: body.push,
    end() {
      isOver = true
      body.end()
    },
  })
  return {
    push(bytes) {
      parser.push(bytes)
      body.flush()
      return isOver
    },
    close() {
      parser.close()
      body.flush()
      return isOver
    },
    fail(error) {
      body.fail(error)
      return head !== null
    },
    keptMs: () => (head?.keepAlive === true ? head.keptMs : 0),
  }
}
