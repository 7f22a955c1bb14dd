import { aacSeconds } from './aac.ts'
import { flacSeconds } from './flac.ts'
import { matroskaSeconds } from './matroska.ts'
import { mp3Seconds } from './mp3.ts'
import { mp4Seconds } from './mp4.ts'
import { oggSeconds } from './ogg.ts'
import { view } from './view.ts'

const ascii = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))

/** Formats whose samples all have the same size: whole numbers, floating ones, those of telephones, and the extended way to say so. */
const plainFormats: ReadonlySet<number> = new Set([1, 3, 6, 7, 0xfffe])
/** No compressed format in use takes more bytes a second. */
const compressedMost = 48_000

/** Bytes a second: as written, or as the samples make it where that is less, so that nobody writes a recording short. */
function wavRate(data: DataView, at: number): number {
  const written = data.getUint32(at + 16, true)
  const made = data.getUint32(at + 12, true) * data.getUint16(at + 10, true) * (data.getUint16(at + 22, true) / 8)
  if (!plainFormats.has(data.getUint16(at + 8, true))) return Math.min(written, made || compressedMost)
  return made > 0 ? Math.min(written || made, made) : written
}

const unknownSize = 0xffffffff
/** `fmt ` and `data` */
const formChunk = 0x666d7420
const soundChunk = 0x64617461

/** Bytes of sound over bytes a second. Recorders that write as they go leave the size out: then all that follows counts. */
function wavSeconds(bytes: Uint8Array): number | null {
  const data = view(bytes)
  let perSecond = 0
  let sound = 0
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = data.getUint32(at)
    const size = data.getUint32(at + 4, true)
    const there = bytes.length - at - 8
    const isOpen = name === soundChunk && (size === 0 || size === unknownSize)
    if (name === formChunk) perSecond = wavRate(data, at)
    // Players go on with the next one.
    if (name === soundChunk) sound += isOpen ? there : Math.min(size, there)
    if (isOpen) break
    at += 8 + size + (size % 2)
  }
  return perSecond > 0 && sound > 0 ? sound / perSecond : null
}

/** How long a recording plays, read from the file itself; null when it does not say or is of no known kind. */
export function recordingSeconds(bytes: Uint8Array): number | null {
  try {
    const seconds = byKind(bytes)
    return seconds !== null && Number.isFinite(seconds) && seconds > 0 ? seconds : null
  } catch (error) {
    // A file that ends in the middle of what it says of itself.
    if (error instanceof RangeError) return null
    throw error
  }
}

function byKind(bytes: Uint8Array): number | null {
  const start = ascii(bytes, 0, 4)
  if (start === 'RIFF' && ascii(bytes, 8, 4) === 'WAVE') return wavSeconds(bytes)
  if (start === 'fLaC') return flacSeconds(bytes)
  if (start === 'OggS') return oggSeconds(bytes)
  if (ascii(bytes, 4, 4) === 'ftyp') return mp4Seconds(bytes)
  if (bytes[0] === 0x1a && bytes[1] === 0x45 && bytes[2] === 0xdf && bytes[3] === 0xa3) return matroskaSeconds(bytes)
  // Bytes that may be of two formats count as the longer recording.
  return Math.max(mp3Seconds(bytes) ?? 0, aacSeconds(bytes) ?? 0)
}
