import { pageType, safeType } from '#server/relay/answer/media-types.ts'
import { openHeaders } from '#server/relay/delivery/answer-headers.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import { bytesOf } from '#server/relay/upstream/vendor-stream.ts'

const passed = ['content-length', 'content-disposition']

/** A file of a vendor's, passed on as the client takes it. */
export function showBytes({ connection }: InboundRequest, answer: Response): Response {
  const type = safeType(answer.headers.get('content-type'))
  const headers = new Headers({
    ...openHeaders,
    'content-type': type === pageType ? 'text/plain; charset=utf-8' : type,
  })
  const isEncoded = answer.headers.has('content-encoding')
  for (const name of passed) {
    const value = answer.headers.get(name)
    if (value !== null && !(isEncoded && name === 'content-length')) headers.set(name, value)
  }
  const pieces = bytesOf(answer)
  connection.streams()
  const body = new ReadableStream<Uint8Array>({
    async pull(to) {
      const piece = await pieces.next()
      if (!piece.done) return to.enqueue(piece.value)
      connection.streamed()
      to.close()
    },
    async cancel() {
      connection.streamed()
      await pieces.return(undefined)
    },
  })
  return new Response(body, { headers })
}
