import { expect, test } from 'bun:test'
import type { Outcome } from '#server/relay/relayed-request.ts'
import { watchedStream } from './watched-stream.ts'

test('a client that left before its stream began is noticed, once', () => {
  const outcomes: Outcome[] = []
  let aborted = 0
  watchedStream(new ReadableStream(), AbortSignal.abort(), {
    sourceMs: 1000,
    readerMs: 1000,
    abort: () => {
      aborted += 1
    },
    async ended(outcome) {
      outcomes.push(outcome)
    },
  })
  expect(outcomes).toEqual(['cut'])
  expect(aborted).toBe(1)
})
