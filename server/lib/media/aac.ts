import { framedSeconds, type SoundFrame } from './frames.ts'

const sampleRates = [
  ...[96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000],
  ...[22_050, 16_000, 12_000, 11_025, 8000, 7350],
]
const samplesPerBlock = 1024
const headBytes = 7

/** Twelve bits mark a frame's beginning; its length crosses three bytes. */
function frameAt(bytes: Uint8Array, at: number): SoundFrame | null {
  if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xf6) !== 0xf0) return null
  const [rates = 0, high = 0, middle = 0, low = 0, blocks = 0] = bytes.subarray(at + 2, at + headBytes)
  const rate = sampleRates[(rates >> 2) & 15]
  const length = ((high & 3) << 11) | (middle << 3) | (low >> 5)
  if (rate === undefined || length < headBytes) return null
  return { bytes: length, seconds: (samplesPerBlock * ((blocks & 3) + 1)) / rate }
}

/** AAC without a container. */
export const aacSeconds = (bytes: Uint8Array): number | null => framedSeconds(bytes, frameAt)
