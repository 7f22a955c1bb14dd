const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const opusRate = 48_000

function rateOf(bytes: Uint8Array): number | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096))
  if (head.includes('OpusHead')) return opusRate
  const vorbis = head.indexOf('\x01vorbis', 0, 'latin1')
  return vorbis < 0 ? null : view(bytes).getUint32(vorbis + 12, true)
}

/** The last page counts the samples up to its end. */
export function oggSeconds(bytes: Uint8Array): number | null {
  const rate = rateOf(bytes)
  if (!rate) return null
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = whole.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : whole.lastIndexOf('OggS', at - 1)) {
    if (at + 14 > bytes.length) continue
    const samples = view(bytes).getBigInt64(at + 6, true)
    // -1 stands on pages on which no packet ends.
    if (samples > 0n) return Number(samples) / rate
  }
  return null
}
