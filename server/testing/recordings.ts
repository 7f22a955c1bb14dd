const ascii = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0))
const big = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** (bytes - 1 - at)) % 256)
const little = (value: number, bytes: number): number[] => big(value, bytes).toReversed()

/** Recordings of silence that play as long as they say, small enough to be made by hand. */
const rate = 8000

/** With a sound of no length before the whole one, where it `begins` so; players go on. */
export function wav(seconds: number, { declaredRate = rate * 2, kind = 1, begins = false } = {}): Uint8Array {
  const sound = new Uint8Array(seconds * rate * 2)
  const format = [...little(kind, 2), ...little(1, 2), ...little(rate, 4), ...little(declaredRate, 4), 2, 0, 16, 0]
  const short = begins ? [...ascii('data'), ...little(2, 4), 0, 0] : []
  const head = [...ascii('fmt '), ...little(16, 4), ...format, ...short, ...ascii('data'), ...little(sound.length, 4)]
  return Uint8Array.from([...ascii('RIFF'), ...little(sound.length + 36, 4), ...ascii('WAVE'), ...head, ...sound])
}

/** Frames of 64 kbit/s at 48 kHz: 24 ms and 192 bytes each. */
export function mp3(seconds: number): Uint8Array {
  const frame = [0xff, 0xfb, 0x54, 0xc0, ...new Array<number>(188).fill(0)]
  const tag = [...ascii('ID3'), 4, 0, 0, 0, 0, 0, 10, ...new Array<number>(10).fill(0)]
  return Uint8Array.from([...tag, ...Array.from({ length: Math.round(seconds / 0.024) }, () => frame).flat()])
}

const box = (name: string, ...content: number[][]): number[] => {
  const body = content.flat()
  return [...big(body.length + 8, 4), ...ascii(name), ...body]
}

/** Frames of 8 kbit/s at 16 kHz: 64 ms and 64 bytes each, of which some look like frames of another kind. */
export function aac(seconds: number): Uint8Array {
  const head = [0xff, 0xf1, 0x60, 0x40, 64 >> 3, (64 & 7) << 5, 0xfc]
  const frame = [...head, ...new Array<number>(17).fill(0), 0xff, 0xfb, 0x54, 0xc0, ...new Array<number>(36).fill(0)]
  return Uint8Array.from(Array.from({ length: Math.round(seconds / 0.064) }, () => frame).flat())
}

/** `claimed` is what its headers say; its samples play `seconds`. */
export function m4a(seconds: number, claimed = seconds): Uint8Array {
  const times = [...big(0, 4), ...big(0, 4), ...big(0, 4), ...big(1000, 4), ...big(claimed * 1000, 4)]
  const samples = box('stts', big(0, 4), big(1, 4), big(seconds, 4), big(1000, 4))
  const media = box('mdia', box('mdhd', times), box('minf', box('stbl', samples)))
  return Uint8Array.from([...box('ftyp', ascii('M4A ')), ...box('moov', box('mvhd', times), box('trak', media))])
}

/** Written fragment by fragment: its head says nothing of what plays. */
export function fragmentedM4a(seconds: number): Uint8Array {
  const id = big(1, 4)
  const none = [...big(0, 4), ...big(0, 4), ...big(0, 4), ...big(1000, 4), ...big(1, 4)]
  const track = box('trak', box('tkhd', [...big(0, 12), ...id]), box('mdia', box('mdhd', none)))
  const usual = box('mvex', box('trex', [...big(0, 4), ...id, ...big(1, 4), ...big(500, 4), ...big(0, 8)]))
  const fragment = box('moof', box('traf', box('tfhd', [...big(0, 4), ...id]), box('trun', big(0, 4), big(2, 4))))
  const listed = box('trun', big(0x300, 4), big(1, 4), big(1000, 4), big(7, 4))
  const other = box('moof', box('traf', box('tfhd', [...big(0, 4), ...id]), listed))
  const fragments = Array.from({ length: seconds }, (_, at) => (at % 2 === 0 ? fragment : other)).flat()
  return Uint8Array.from([...box('ftyp', ascii('M4A ')), ...box('moov', box('mvhd', none), track, usual), ...fragments])
}

const oggPage = (samples: number, content: number[], flags = 0): number[] => [
  ...ascii('OggS'),
  ...[0, flags],
  ...little(samples, 8),
  ...new Array<number>(12).fill(0),
  ...[1, content.length],
  ...content,
]

export const ogg = (seconds: number): Uint8Array =>
  Uint8Array.from([...oggPage(0, ascii('OpusHead')), ...oggPage(seconds * 48_000, new Array<number>(40).fill(0))])

/** Two streams of Vorbis, one behind the other: the second counts from its own beginning. */
export function chainedOgg(seconds: number): Uint8Array {
  const head = [1, ...ascii('vorbis'), ...little(0, 4), 1, ...little(rate, 4)]
  const stream = [...oggPage(0, head, 2), ...oggPage((seconds / 2) * rate, new Array<number>(40).fill(0))]
  return Uint8Array.from([...stream, ...stream])
}

/** A packet of Opus that plays 60 ms. */
const packet = [0x18, 0, 0]
const packets = (seconds: number, made: number[]): number[] =>
  Array.from({ length: Math.round(seconds / 0.06) }, () => made).flat()

/** Its pages count one sample, whatever their packets play. */
export function miscountedOgg(seconds: number): Uint8Array {
  return Uint8Array.from([...oggPage(0, ascii('OpusHead')), ...packets(seconds, oggPage(1, packet))])
}

const element = (id: number[], content: number[]): number[] => [
  ...id,
  0x40 | (content.length >> 8),
  content.length & 255,
  ...content,
]

/** Recorders in browsers leave the length out: it is read from the time of the last cluster. */
export function webm(seconds: number, { tellsLength = true } = {}): Uint8Array {
  const length = new Uint8Array(8)
  new DataView(length.buffer).setFloat64(0, seconds * 1000)
  const duration = tellsLength ? element([0x44, 0x89], [...length]) : []
  const info = element([0x15, 0x49, 0xa9, 0x66], [...element([0x2a, 0xd7, 0xb1], big(1_000_000, 3)), ...duration])
  const cluster = element([0x1f, 0x43, 0xb6, 0x75], element([0xe7], big(seconds * 1000, 4)))
  return Uint8Array.from([
    ...element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], ascii('webm'))),
    ...element([0x18, 0x53, 0x80, 0x67], [...info, ...cluster]),
  ])
}

/** All its blocks stand at the same time, and a tick is a billionth of a second. */
export function miscountedWebm(seconds: number): Uint8Array {
  const info = element([0x15, 0x49, 0xa9, 0x66], element([0x2a, 0xd7, 0xb1], [1]))
  const blocks = packets(seconds, element([0xa3], [0x81, 0, 0, 0x80, ...packet]))
  const head = element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], ascii('webm')))
  const codec = element([0x86], ascii('A_OPUS'))
  return Uint8Array.from([
    ...head,
    ...[0x18, 0x53, 0x80, 0x67, 0xff, ...info, ...codec],
    ...[0x1f, 0x43, 0xb6, 0x75, 0xff, ...element([0xe7], [1]), ...blocks],
  ])
}

/** Frames of 256 equal samples; the `claimed` length and rate stand in the block before them. */
export function flac(seconds: number, { claimed = seconds, claimedRate = rate } = {}): Uint8Array {
  const samples = Math.round(claimed * rate)
  const packed = (BigInt(claimedRate) << 44n) | (0n << 41n) | (15n << 36n) | BigInt(samples)
  const head = [...ascii('fLaC'), 0x80, 0, 0, 34, ...big(0, 10), ...bytesOf(packed), ...new Array<number>(16).fill(0)]
  // 256 samples, 8 kHz, one channel of 16 bits, frame 0, and its checksum; then one value for all samples.
  const frame = [0xff, 0xf8, 0x84, 0x08, 0x00, 0x82, 0, 0, 0, 0, 0]
  return Uint8Array.from([...head, ...Array.from({ length: Math.floor((seconds * rate) / 256) }, () => frame).flat()])
}

const bytesOf = (value: bigint): number[] =>
  Array.from({ length: 8 }, (_, at) => Number((value >> BigInt(8 * (7 - at))) & 255n))
