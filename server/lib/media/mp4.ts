const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

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

/** Length over time scale, both as wide as the version says. */
function lengthIn(body: Uint8Array): number {
  const data = view(body)
  const wide = data.getUint8(0) === 1
  const scale = data.getUint32(wide ? 20 : 12)
  const length = wide ? Number(data.getBigUint64(24)) : data.getUint32(16)
  return scale > 0 ? length / scale : 0
}

/** Samples and how long each plays, in the track's own time scale. */
function playedIn(body: Uint8Array): number {
  const data = view(body)
  let ticks = 0
  for (let at = 8; at + 8 <= body.length && at < 8 + 8 * data.getUint32(4); at += 8)
    ticks += data.getUint32(at) * data.getUint32(at + 4)
  return ticks
}

const first = (found: Generator<Uint8Array>): Uint8Array | undefined => found.next().value ?? undefined

/** A header may claim less than its samples play. */
function trackSeconds(track: Uint8Array): number {
  const header = first(fieldsOf(track, 'mdia', 'mdhd'))
  if (!header) return 0
  const scale = view(header).getUint32(view(header).getUint8(0) === 1 ? 20 : 12)
  const samples = first(fieldsOf(track, 'mdia', 'minf', 'stbl', 'stts'))
  return Math.max(lengthIn(header), samples && scale > 0 ? playedIn(samples) / scale : 0)
}

function* fieldsOf(bytes: Uint8Array, ...path: string[]): Generator<Uint8Array> {
  const [name, ...rest] = path
  for (const box of boxesIn(bytes)) {
    if (box.name !== name) continue
    if (rest.length === 0) yield box.body
    else yield* fieldsOf(box.body, ...rest)
  }
}

/** The longest that the file or one of its tracks plays. */
export function mp4Seconds(bytes: Uint8Array): number | null {
  const whole = [...fieldsOf(bytes, 'moov', 'mvhd')].map(lengthIn)
  const tracks = [...fieldsOf(bytes, 'moov', 'trak')].map(trackSeconds)
  return Math.max(0, ...whole, ...tracks) || null
}
