import { unpacker } from '#server/lib/http1/decompressed.ts'
import { createKeyHider } from '#server/relay/upstream/without-key.ts'

function keyHiding(key: string): TransformStream<Uint8Array, Uint8Array> {
  const hider = createKeyHider(key)
  return new TransformStream({
    transform: (piece, to) => to.enqueue(hider.push(piece)),
    flush: (to) => to.enqueue(hider.end()),
  })
}

/** What a vendor refuses with, unpacked and without the channel's key, for errors name keys; no body where nobody can read it. */
export function refusedAnswer({ status, headers, body }: Response, key: string): Response {
  const unpack = unpacker(headers.get('content-encoding'))
  const shown = new Headers(headers)
  shown.delete('content-encoding')
  if (unpack === undefined) void body?.cancel().catch(() => {})
  const readable = unpack === undefined ? null : unpack ? body?.pipeThrough(unpack) : body
  return new Response(readable?.pipeThrough(keyHiding(key)) ?? null, { status, headers: shown })
}
