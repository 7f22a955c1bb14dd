import { view } from './view.ts'

interface Frame {
  readonly samples: number
  /** Samples a second. */
  readonly rate: number
  readonly length: number
}

/** Sample rates by their code; for codes from 12 on the rate follows the frame's number. */
const rates = [0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000]

/** What a rate is written in, by its code from 12 on. */
const units = [1000, 1, 10]

function samplesByCode(code: number): number {
  if (code === 1) return 192
  return code < 6 ? 576 * 2 ** (code - 2) : 256 * 2 ** (code - 8)
}

/** The checksum behind the head of a frame. */
const sums = Uint8Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 0x80 ? (sum << 1) ^ 0x07 : sum << 1
  return sum & 0xff
})

function sumOf(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at += 1) sum = sums[sum ^ (bytes[at] ?? 0)] ?? 0
  return sum
}

/** How many bytes the number of a frame takes, as its first one tells; 0 for none. */
function numberLength(first: number): number {
  const ones = Math.clz32(~(first << 24))
  return ones === 1 || ones === 8 ? 0 : Math.max(1, ones)
}

function numberIn(bytes: Uint8Array, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at += 1) value = value * 256 + (bytes[at] ?? 0)
  return value
}

/** The frame whose mark is here, if its head is whole and its checksum right. */
function frameAt(bytes: Uint8Array, at: number, usualRate: number): Frame | null {
  const sizes = bytes[at + 2] ?? 0
  const kind = bytes[at + 3] ?? 0
  const sizeCode = sizes >> 4
  const rateCode = sizes & 15
  const width = numberLength(bytes[at + 4] ?? 0)
  if (sizeCode === 0 || rateCode === 15 || kind >> 4 > 10 || (kind & 1) === 1 || width === 0) return null
  const sizeAt = at + 4 + width
  const rateAt = sizeAt + (sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0)
  const end = rateAt + (rateCode < 12 ? 0 : rateCode === 12 ? 1 : 2)
  if (end >= bytes.length || sumOf(bytes, at, end) !== bytes[end]) return null
  const samples = rateAt > sizeAt ? numberIn(bytes, sizeAt, rateAt) + 1 : samplesByCode(sizeCode)
  const rate = rateCode < 12 ? rates[rateCode] || usualRate : numberIn(bytes, rateAt, end) * (units[rateCode - 12] ?? 0)
  return rate > 0 ? { samples, rate, length: end + 1 - at } : null
}

/** Bytes that look like a frame by chance are rare, and play no longer than the longest frame at a usual rate. */
const byChance = (seconds: number): number => Math.min(2, seconds / 20)

/** What all frames play. Bytes that look like a frame by chance stand alone with their rate. */
function playedSeconds(bytes: Uint8Array, usualRate: number): number {
  const found = new Map<number, { frames: number; samples: number }>()
  for (let at = 0; at < bytes.length; ) {
    // Looked at here: a call for every byte would let a long file without frames hold up everybody.
    const frame = bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xfe) === 0xf8 ? frameAt(bytes, at, usualRate) : null
    if (frame) {
      const sum = found.get(frame.rate) ?? { frames: 0, samples: 0 }
      sum.frames += 1
      sum.samples += frame.samples
      found.set(frame.rate, sum)
    }
    at += frame?.length ?? 1
  }
  const many = [...found].filter(([, { frames }]) => frames > 1)
  return many.reduce((seconds, [rate, { samples }]) => seconds + samples / rate, 0)
}

/** The block every file begins with says how many samples there are; it may say too few, or nothing where it was written on the way. */
export function flacSeconds(bytes: Uint8Array): number | null {
  if (bytes.length < 26) return null
  const data = view(bytes)
  const rate = data.getUint32(18) >>> 12
  const channels = ((data.getUint8(20) >> 1) & 7) + 1
  const bits = (((data.getUint8(20) & 1) << 4) | (data.getUint8(21) >> 4)) + 1
  const samples = (data.getUint8(21) & 0x0f) * 2 ** 32 + data.getUint32(22)
  if (rate === 0) return null
  // Never shorter than the same bytes would play uncompressed.
  const claimed = Math.max(samples, bytes.length / (channels * (bits / 8))) / rate
  const played = playedSeconds(bytes, rate)
  return played > claimed + byChance(claimed) ? played : claimed
}
