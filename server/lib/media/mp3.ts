import { framedSeconds, type SoundFrame } from './frames.ts'

const bitRates: Readonly<Record<string, readonly number[]>> = {
  '1/1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1/2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1/3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2/1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2/2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  '2/3': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}

const sampleRates = [44_100, 48_000, 32_000]

/** Version and layer share a byte with the mark of a frame's beginning. */
function frameAt(bytes: Uint8Array, at: number): SoundFrame | null {
  const kind = bytes[at + 1] ?? 0
  if (bytes[at] !== 0xff || (kind & 0xe0) !== 0xe0) return null
  const rates = bytes[at + 2] ?? 0
  const version = (kind >> 3) & 3
  const layer = 4 - ((kind >> 1) & 3)
  const baseRate = sampleRates[(rates >> 2) & 3]
  if (version === 1 || layer === 4 || baseRate === undefined || rates < 0x10) return null
  const bitRate = bitRates[`${version === 3 ? 1 : 2}/${layer}`]?.[rates >> 4]
  if (!bitRate) return null
  const sampleRate = version === 3 ? baseRate : version === 2 ? baseRate / 2 : baseRate / 4
  const samples = layer === 1 ? 384 : layer === 3 && version !== 3 ? 576 : 1152
  const padding = (rates >> 1) & 1
  const slot = layer === 1 ? 4 : 1
  const length = Math.floor((samples / 8 / slot) * ((bitRate * 1000) / sampleRate) + padding) * slot
  return { bytes: length, seconds: samples / sampleRate }
}

/** Adds up the frames, for a header may be left out or lie. */
export const mp3Seconds = (bytes: Uint8Array): number | null => framedSeconds(bytes, frameAt)
