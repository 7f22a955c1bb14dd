export const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

interface Box {
  readonly name: string
  readonly body: Uint8Array
}

function* boxesIn(bytes: Uint8Array): Generator<Box> {
  const data = view(bytes)
  for (let at = 0; at + 8 <= bytes.length; ) {
    const short = data.getUint32(at)
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    const head = short === 1 ? 16 : 8
    const size = short === 1 ? Number(data.getBigUint64(at + 8)) : short === 0 ? bytes.length - at : short
    if (size < head) return
    yield { name, body: bytes.subarray(at + head, at + size) }
    at += size
  }
}

/** The bodies of all boxes at the end of a path of names. */
export function* fieldsOf(bytes: Uint8Array, ...path: string[]): Generator<Uint8Array> {
  const [name, ...rest] = path
  for (const box of boxesIn(bytes)) {
    if (box.name !== name) continue
    if (rest.length === 0) yield box.body
    else yield* fieldsOf(box.body, ...rest)
  }
}

export const first = (found: Generator<Uint8Array>): Uint8Array | undefined => found.next().value ?? undefined
