export interface Frame {
  readonly event?: string
  readonly data: unknown
}

function streamed(pieces: readonly string[], contentType: string): Response {
  const encoder = new TextEncoder()
  const left = [...pieces]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = left.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(encoder.encode(piece))
    },
  })
  return new Response(body, { headers: { 'content-type': contentType } })
}

const written = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data))

/** Server-sent events, one write each. */
export function events(frames: readonly Frame[]): Response {
  const pieces = frames.map(
    ({ event, data }) => `${event === undefined ? '' : `event: ${event}\n`}data: ${written(data)}\n\n`,
  )
  return streamed(pieces, 'text/event-stream')
}

export function lines(objects: readonly object[]): Response {
  return streamed(
    objects.map((object) => `${JSON.stringify(object)}\n`),
    'application/x-ndjson',
  )
}

export const notFound = (): Response => Response.json({ error: { message: 'no such path' } }, { status: 404 })
