/** A piece of a recording that says itself how long it is and plays. */
export interface SoundFrame {
  readonly bytes: number
  readonly seconds: number
}

/** Where the sound begins: behind a tag whose size is written seven bits a byte. */
function afterTag(bytes: Uint8Array): number {
  if (String.fromCharCode(...bytes.subarray(0, 3)) !== 'ID3') return 0
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6, 10)
  return 10 + (a << 21) + (b << 14) + (c << 7) + d
}

/**
 * How long all frames play; null when less than half of the bytes are frames. In a recording of another kind there are bytes that look
 * like a frame by chance, and it plays longer than those say.
 */
export function framedSeconds(
  bytes: Uint8Array,
  frameAt: (bytes: Uint8Array, at: number) => SoundFrame | null,
): number | null {
  const start = afterTag(bytes)
  let seconds = 0
  let framed = 0
  for (let at = start; at + 4 <= bytes.length; ) {
    const frame = frameAt(bytes, at)
    if (!frame) {
      at += 1
      continue
    }
    seconds += frame.seconds
    framed += frame.bytes
    at += frame.bytes
  }
  return seconds > 0 && framed * 2 >= bytes.length - start ? seconds : null
}
