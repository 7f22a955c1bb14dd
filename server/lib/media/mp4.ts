import { fieldsOf, first, type Looks } from './mp4-boxes.ts'
import { fragmentSeconds } from './mp4-fragments.ts'
import { view } from './view.ts'

/** Length over time scale, both as wide as the version says. */
function lengthIn(body: Uint8Array): number {
  const data = view(body)
  const wide = data.getUint8(0) === 1
  const scale = data.getUint32(wide ? 20 : 12)
  const length = wide ? Number(data.getBigUint64(24)) : data.getUint32(16)
  return scale > 0 ? length / scale : 0
}

/** Samples and how long each plays, in the track's own time scale. */
function playedIn(body: Uint8Array): number {
  const data = view(body)
  let ticks = 0
  for (let at = 8; at + 8 <= body.length && at < 8 + 8 * data.getUint32(4); at += 8)
    ticks += data.getUint32(at) * data.getUint32(at + 4)
  return ticks
}

/** A header may claim less than its samples play. */
function trackSeconds(looks: Looks, track: Uint8Array): number {
  const header = first(fieldsOf(looks, track, 'mdia', 'mdhd'))
  if (!header) return 0
  const scale = view(header).getUint32(view(header).getUint8(0) === 1 ? 20 : 12)
  const samples = first(fieldsOf(looks, track, 'mdia', 'minf', 'stbl', 'stts'))
  return Math.max(lengthIn(header), samples && scale > 0 ? playedIn(samples) / scale : 0)
}

/** The longest that the file or one of its tracks plays. */
export function mp4Seconds(bytes: Uint8Array): number | null {
  const looks: Looks = { count: 0 }
  const whole = [...fieldsOf(looks, bytes, 'moov', 'mvhd')].map(lengthIn)
  const tracks = [...fieldsOf(looks, bytes, 'moov', 'trak')].map((track) => trackSeconds(looks, track))
  return Math.max(0, ...whole, ...tracks, fragmentSeconds(looks, bytes)) || null
}
