import { quarterSeconds, type RollupSpan } from './shapes.ts'

/** A stretch of time and the number it goes by; `to` is exclusive. */
export interface Bucket {
  readonly from: number
  readonly to: number
}

/** Roll-ups of a span from one time up to another, added to a bucket or taken away from it. */
export interface RollupPiece {
  readonly span: RollupSpan
  readonly bucket: number
  readonly from: number
  readonly to: number
  readonly sign: 1 | -1
}

const upTo = (at: number, span: RollupSpan) => Math.ceil(at / span) * span
const downTo = (at: number, span: RollupSpan) => Math.floor(at / span) * span
const nearest = (at: number, span: RollupSpan) => Math.round(at / span) * span

/** The quarter hours a stretch touches. */
export const quartersAround = ({ from, to }: Bucket): Bucket => ({
  from: downTo(from, quarterSeconds),
  to: upTo(to, quarterSeconds),
})

/** The nearest whole spans of the longest, and what lies between them and the ends, added or taken away in shorter ones. */
function cut(
  from: number,
  to: number,
  sign: 1 | -1,
  [span, ...shorter]: readonly RollupSpan[],
): Omit<RollupPiece, 'bucket'>[] {
  if (span === undefined || from >= to) return []
  const first = nearest(from, span)
  const last = nearest(to, span)
  if (first >= last) return cut(from, to, sign, shorter)
  const less = sign === 1 ? -1 : 1
  return [
    { span, from: first, to: last, sign },
    ...cut(from, first, sign, shorter),
    ...cut(first, from, less, shorter),
    ...cut(last, to, sign, shorter),
    ...cut(to, last, less, shorter),
  ]
}

/** A bucket in roll-ups of the given spans, longest first; the last one is the quarter hour. */
export function piecesOf(exact: Bucket, bucket: number, spans: readonly RollupSpan[]): RollupPiece[] {
  const { from, to } = quartersAround(exact)
  return cut(from, to, 1, spans).map((piece) => ({ ...piece, bucket }))
}
