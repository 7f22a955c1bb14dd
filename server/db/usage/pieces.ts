import { daySeconds, quarterSeconds, type Span } from './shapes.ts'

/** A stretch of time and the number it goes by; `to` is exclusive. */
export interface Bucket {
  readonly from: number
  readonly to: number
}

/** Roll-ups of a span from one time up to another, added to a bucket or taken away from it. */
export interface Piece {
  readonly span: Span
  readonly bucket: number
  readonly from: number
  readonly to: number
  readonly sign: 1 | -1
}

const upTo = (at: number, span: Span) => Math.ceil(at / span) * span
const downTo = (at: number, span: Span) => Math.floor(at / span) * span
const nearest = (at: number, span: Span) => Math.round(at / span) * span

/** The quarter hours a stretch touches. */
export const quartersAround = ({ from, to }: Bucket): Bucket => ({
  from: downTo(from, quarterSeconds),
  to: upTo(to, quarterSeconds),
})

/** The nearest whole days, and the quarter hours between them and the ends, added or taken away. */
export function piecesOf(exact: Bucket, bucket: number): Piece[] {
  const { from, to } = quartersAround(exact)
  const firstDay = nearest(from, daySeconds)
  const lastDay = nearest(to, daySeconds)
  const piece = (span: Span, start: number, end: number, sign: 1 | -1): Piece[] =>
    start < end ? [{ span, bucket, from: start, to: end, sign }] : []
  if (firstDay >= lastDay) return piece(quarterSeconds, from, to, 1)
  return [
    ...piece(daySeconds, firstDay, lastDay, 1),
    ...piece(quarterSeconds, from, firstDay, 1),
    ...piece(quarterSeconds, firstDay, from, -1),
    ...piece(quarterSeconds, lastDay, to, 1),
    ...piece(quarterSeconds, to, lastDay, -1),
  ]
}
