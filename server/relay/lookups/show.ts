import { jsonInOnePiece } from '#server/lib/streams/one-piece.ts'
import { openHeaders } from '#server/relay/delivery/answer-headers.ts'

/** An answer the relay makes itself. */
export const show = (body: unknown): Response => jsonInOnePiece(body, new Headers(openHeaders))
