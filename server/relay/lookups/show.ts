import { jsonInOnePiece } from '#server/lib/streams/one-piece.ts'

/** Pages of any origin may read what the relay says, and nobody guesses its type. */
export const openHeaders = { 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' }

/** An answer the relay makes itself. */
export const show = (body: unknown): Response => jsonInOnePiece(body, new Headers(openHeaders))
