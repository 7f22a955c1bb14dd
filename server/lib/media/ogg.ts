import { opusSeconds } from './opus.ts'
import { view } from './view.ts'

const opusRate = 48_000
/** OggS */
const pageMark = 0x4f676753

function rateOf(bytes: Uint8Array): number | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096))
  if (head.includes('OpusHead')) return opusRate
  const vorbis = head.indexOf('\x01vorbis', 0, 'latin1')
  return vorbis < 0 ? null : view(bytes).getUint32(vorbis + 12, true)
}

/** What the packets of Opus play, one after the other: whatever the pages count, all of them are played. */
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

/** Set on the page a stream begins with; another one may follow where it ends. */
const beginsStream = 2

/** The last page of a stream counts the samples up to its end; it may count too few. */
export function oggSeconds(bytes: Uint8Array): number | null {
  const rate = rateOf(bytes)
  if (!rate) return null
  const data = view(bytes)
  const isOpus = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).includes('OpusHead')
  let before = 0
  let most = 0
  for (let at = 0; at + 14 <= bytes.length; at += 1) {
    if (bytes[at] !== 0x4f || data.getUint32(at) !== pageMark) continue
    if ((bytes[at + 5] ?? 0) & beginsStream) {
      before += most
      most = 0
    }
    // -1 stands on pages on which no packet ends.
    most = Math.max(most, data.getInt32(at + 10, true) * 2 ** 32 + data.getUint32(at + 6, true))
  }
  return Math.max((before + most) / rate, isOpus ? playedSeconds(bytes) : 0) || null
}
