import { opusSeconds } from './opus.ts'

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const opusRate = 48_000

function rateOf(bytes: Uint8Array): number | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096))
  if (head.includes('OpusHead')) return opusRate
  const vorbis = head.indexOf('\x01vorbis', 0, 'latin1')
  return vorbis < 0 ? null : view(bytes).getUint32(vorbis + 12, true)
}

/** What the packets of Opus play, one after the other: whatever the pages count, all of them are heard. */
function playedSeconds(bytes: Uint8Array): number {
  let seconds = 0
  let at = 0
  let isInside = false
  while (at + 27 <= bytes.length && bytes[at] === 0x4f && bytes[at + 3] === 0x53) {
    const pieces = bytes[at + 26] ?? 0
    let body = at + 27 + pieces
    for (let piece = 0; piece < pieces; piece += 1) {
      const length = bytes[at + 27 + piece] ?? 0
      const isHead = bytes[body] === 0x4f && bytes[body + 1] === 0x70
      if (!isInside && length > 0 && !isHead) seconds += opusSeconds(bytes[body] ?? 0, bytes[body + 1] ?? 0)
      // A piece of 255 bytes goes on in the next one.
      isInside = length === 255
      body += length
    }
    at = body
  }
  return seconds
}

/** The last page counts the samples up to its end; it may count too few. */
export function oggSeconds(bytes: Uint8Array): number | null {
  const rate = rateOf(bytes)
  if (!rate) return null
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const played = whole.subarray(0, 4096).includes('OpusHead') ? playedSeconds(bytes) : 0
  let most = 0
  for (let at = whole.indexOf('OggS'); at >= 0; at = whole.indexOf('OggS', at + 4)) {
    // -1 stands on pages on which no packet ends.
    if (at + 14 <= bytes.length) most = Math.max(most, Number(view(bytes).getBigInt64(at + 6, true)))
  }
  return Math.max(most / rate, played) || null
}
