import { opusSeconds } from './opus.ts'
import { view } from './view.ts'

const ids = {
  segment: 0x18538067,
  info: 0x1549a966,
  scale: 0x2ad7b1,
  duration: 0x4489,
  cluster: 0x1f43b675,
  time: 0xe7,
  group: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
}
const containers: ReadonlySet<number> = new Set([ids.segment, ids.info, ids.cluster, ids.group])
const usualScale = 1_000_000
const nanosecondsPerSecond = 1_000_000_000

/** A number whose first byte gives its length; with the marker bit kept it is an element's name. */
function numberAt(bytes: Uint8Array, at: number, keepMarker: boolean): { value: number; length: number } | null {
  const first = bytes[at]
  if (!first) return null
  const length = Math.clz32(first) - 23
  if (at + length > bytes.length) return null
  let value = keepMarker ? first : first & (0xff >> length)
  let isUnknown = value === 0xff >> length
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[at + index] ?? 0
    isUnknown &&= byte === 0xff
    value = value * 256 + byte
  }
  return { value: isUnknown && !keepMarker ? Number.POSITIVE_INFINITY : value, length }
}

function unsigned(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0)
}

function floating(bytes: Uint8Array): number {
  const data = view(bytes)
  return bytes.length === 8 ? data.getFloat64(0) : bytes.length === 4 ? data.getFloat32(0) : 0
}

/** A block: the number of its track, two bytes of time, one of flags, and behind it packets, how many where there are several. */
function opusIn(block: Uint8Array): number {
  const track = numberAt(block, 0, false)
  if (!track) return 0
  const flags = block[track.length + 2] ?? 0
  const isLaced = (flags & 0x06) !== 0
  const packets = isLaced ? (block[track.length + 3] ?? 0) + 1 : 1
  const start = track.length + 3
  return packets * (isLaced ? usualPacket : opusSeconds(block[start] ?? 0, block[start + 1] ?? 0))
}

/** Where packets stand together their lengths come first: each is taken to be of the usual length. */
const usualPacket = 0.02

/** Five hours of the usual packets. A file of more, be they empty, is not looked through to its end. */
const elementsMax = 1_000_000

/** What the file says of its length; recorders that write as they go leave it out, and the last cluster's time counts. */
export function matroskaSeconds(bytes: Uint8Array): number | null {
  let scale = usualScale
  let length = 0
  let last = 0
  let played = 0
  const isOpus = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).includes('A_OPUS')
  let elements = 0
  for (let at = 0; at < bytes.length; ) {
    elements += 1
    if (elements > elementsMax) return null
    const name = numberAt(bytes, at, true)
    const size = name && numberAt(bytes, at + name.length, false)
    if (!name || !size) break
    const start = at + name.length + size.length
    const body = bytes.subarray(start, Math.min(bytes.length, start + size.value))
    if (name.value === ids.scale) scale = unsigned(body)
    else if (name.value === ids.duration) length = floating(body)
    else if (name.value === ids.time) last = Math.max(last, unsigned(body))
    else if (isOpus && (name.value === ids.block || name.value === ids.simpleBlock)) played += opusIn(body)
    at = containers.has(name.value) ? start : start + size.value
  }
  const stated = (Math.max(length, last) * scale) / nanosecondsPerSecond
  return Math.max(stated, played) || null
}
