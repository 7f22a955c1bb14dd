import type { Ask } from '#server/relay/request/ask.ts'
import { streamFramed } from '#server/relay/upstream/send.ts'
import type { UpstreamAnswer } from '#server/relay/upstream/upstream-answer.ts'
import type { Readiness } from './deliverable.ts'
import { readyFrames, readyWhole } from './ready-chat.ts'
import { readyOperation } from './ready-operation.ts'

/** Reads an answer as far as needed to know that it is one. `gone` fires when the client has left. */
export function makeReady(ask: Ask, answer: UpstreamAnswer, gone: AbortSignal): Promise<Readiness> {
  const { reading } = answer
  if (reading.kind === 'operation') return readyOperation(ask, answer, reading.codec)
  if (ask.stream && streamFramed(answer.header('content-type'), reading.upstream))
    return readyFrames(ask, answer, reading, gone)
  return readyWhole(ask, answer, reading)
}
