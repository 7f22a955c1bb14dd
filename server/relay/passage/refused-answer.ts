import { unpacker } from '#server/lib/http1/decompressed.ts'
import { createKeyHider } from '#server/relay/upstream/without-key.ts'

function keyHiding(key: string): TransformStream<Uint8Array, Uint8Array> {
  const hider = createKeyHider(key)
  return new TransformStream({
    transform: (piece, to) => to.enqueue(hider.push(piece)),
    flush: (to) => to.enqueue(hider.end()),
  })
}

/** A vendor's error answer, decompressed and with the channel's key removed; without a body when it cannot be decompressed. */
export function refusedAnswer({ status, headers, body }: Response, key: string): Response {
  const unpack = unpacker(headers.get('content-encoding'))
  const shown = new Headers(headers)
  shown.delete('content-encoding')
  if (unpack === undefined) void body?.cancel().catch(() => {})
  const readable = unpack === undefined ? null : unpack ? body?.pipeThrough(unpack) : body
  return new Response(readable?.pipeThrough(keyHiding(key)) ?? null, { status, headers: shown })
}
