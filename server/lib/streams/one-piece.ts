import { directStream } from './direct-stream.ts'

/** From this length on the runtime sends the head of an answer in many small packets. */
export const longFrom = 15 * 1024

/**
 * A body that is sent together with its head, however long it is. Whoever knows how many bytes it takes at most saves the counting;
 * no character of a text is longer than three.
 */
export function inOnePiece(body: string | Uint8Array, atMost = body.length * 3): BodyInit {
  if (atMost < longFrom) return body as string | Uint8Array<ArrayBuffer>
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  return length < longFrom ? (body as string | Uint8Array<ArrayBuffer>) : collected([body], length)
}

/** The same for a body in several pieces. */
export const joined = (pieces: readonly Uint8Array[]): BodyInit =>
  collected(
    pieces,
    pieces.reduce((length, piece) => length + piece.length, 0),
  )

const collected = (pieces: readonly (string | Uint8Array)[], length: number): BodyInit =>
  directStream(
    {
      pull(client) {
        for (const piece of pieces) client.write(piece)
        client.end()
      },
    },
    // Below this mark nothing is sent before the end, and the length is declared.
    { highWaterMark: length + 1 },
  )

export function jsonInOnePiece(value: unknown, headers: Headers): Response {
  headers.set('content-type', 'application/json;charset=utf-8')
  return new Response(inOnePiece(JSON.stringify(value)), { headers })
}
