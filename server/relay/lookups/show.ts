import { jsonInOnePiece } from '#server/lib/streams/one-piece.ts'
import { openHeaders } from '#server/relay/delivery/answer-headers.ts'

/** An answer the relay makes itself. */
export const show = (body: unknown, more: Readonly<Record<string, string>> = {}): Response =>
  jsonInOnePiece(body, new Headers({ ...more, ...openHeaders }))
