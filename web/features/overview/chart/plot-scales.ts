import { scaleBand, scaleLinear } from '@visx/scale'
import { axisOf } from './axis.ts'

export const margin = { top: 12, bottom: 24, right: 44 }

interface Room {
  readonly width: number
  readonly height: number
  readonly right: number
}

/** Where buckets and amounts lie. */
export function scalesOf(buckets: number, top: number, format: (value: number) => string, room: Room) {
  const y = scaleLinear({ domain: [0, top], range: [room.height - margin.bottom, margin.top], nice: 4 })
  const axis = axisOf(y.ticks(4), format)
  const x = scaleBand({
    domain: Array.from({ length: buckets }, (_, bucket) => bucket),
    range: [axis.width, Math.max(axis.width + 1, room.width - room.right)],
    padding: 0.28,
  })
  const left = (bucket: number) => x(bucket) ?? 0
  return {
    axis,
    y,
    left,
    band: x.bandwidth(),
    step: x.step(),
    middle: (bucket: number) => left(bucket) + x.bandwidth() / 2,
  }
}

export type Scales = ReturnType<typeof scalesOf>
