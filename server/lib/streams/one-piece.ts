import { directStream } from './direct-stream.ts'

/** From this length on the runtime sends the head of an answer word by word, each in a packet of its own. */
const headApartFrom = 15 * 1024

/** A body that leaves together with its head, however long it is. */
export function inOnePiece(body: string | Uint8Array): BodyInit {
  // No character is longer than three bytes.
  if (typeof body === 'string' && body.length * 3 < headApartFrom) return body
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  if (length < headApartFrom) return body as string | Uint8Array<ArrayBuffer>
  return directStream(
    {
      pull(client) {
        client.write(body)
        client.end()
      },
    },
    // Below this mark nothing is sent before the end, and the length is told.
    { highWaterMark: length + 1 },
  )
}

export function jsonInOnePiece(value: unknown, headers: Headers): Response {
  headers.set('content-type', 'application/json;charset=utf-8')
  return new Response(inOnePiece(JSON.stringify(value)), { headers })
}
