import { fieldsOf, first, type Looks } from './mp4-boxes.ts'
import { view } from './view.ts'

const has = { base: 0x1, description: 0x2, duration: 0x8 }
const runHas = { offset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400, time: 0x800 }

/** The usual length of a sample where the head of a fragment has it, behind fields that may be left out. */
function usualLength(head: DataView): number | null {
  const flags = head.getUint32(0)
  if ((flags & has.duration) === 0) return null
  return head.getUint32(8 + (flags & has.base ? 8 : 0) + (flags & has.description ? 4 : 0))
}

/** How long the samples of a run play together, in the time scale of their track. */
function runLength(run: DataView, usual: number): number {
  const flags = run.getUint32(0)
  const samples = run.getUint32(4)
  if ((flags & runHas.duration) === 0) return samples * usual
  const fields = [runHas.duration, runHas.size, runHas.flags, runHas.time].filter((field) => flags & field).length
  let at = 8 + (flags & runHas.offset ? 4 : 0) + (flags & runHas.firstFlags ? 4 : 0)
  let ticks = 0
  for (let sample = 0; sample < samples && at + 4 <= run.byteLength; sample += 1, at += 4 * fields)
    ticks += run.getUint32(at)
  return ticks
}

/** Ticks a second of each track, by its number. */
function scalesIn(looks: Looks, bytes: Uint8Array): Map<number, number> {
  const scales = new Map<number, number>()
  for (const track of fieldsOf(looks, bytes, 'moov', 'trak')) {
    const head = first(fieldsOf(looks, track, 'tkhd'))
    const media = first(fieldsOf(looks, track, 'mdia', 'mdhd'))
    if (!head || !media) continue
    const id = view(head).getUint32(view(head).getUint8(0) === 1 ? 20 : 12)
    scales.set(id, view(media).getUint32(view(media).getUint8(0) === 1 ? 20 : 12))
  }
  return scales
}

/** The longest that a track plays in what was written fragment by fragment: the head of the file knows nothing of it. */
export function fragmentSeconds(looks: Looks, bytes: Uint8Array): number {
  const usual = new Map<number, number>()
  for (const each of fieldsOf(looks, bytes, 'moov', 'mvex', 'trex'))
    usual.set(view(each).getUint32(4), view(each).getUint32(12))
  const played = new Map<number, number>()
  for (const fragment of fieldsOf(looks, bytes, 'moof', 'traf')) {
    const head = first(fieldsOf(looks, fragment, 'tfhd'))
    if (!head) continue
    const id = view(head).getUint32(4)
    const length = usualLength(view(head)) ?? usual.get(id) ?? 0
    for (const run of fieldsOf(looks, fragment, 'trun'))
      played.set(id, (played.get(id) ?? 0) + runLength(view(run), length))
  }
  const scales = scalesIn(looks, bytes)
  return Math.max(0, ...[...played].map(([id, ticks]) => ticks / (scales.get(id) || Number.POSITIVE_INFINITY)))
}
