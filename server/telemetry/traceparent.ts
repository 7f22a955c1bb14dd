/** The position of a span in a trace, as in W3C's `traceparent` header. */
export interface TracePosition {
  readonly traceId: string
  readonly spanId: string
  readonly sampled: boolean
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const nothing = /^0+$/

/** Null when the header is missing or invalid; then a new trace begins. */
export function readTraceparent(header: string | null): TracePosition | null {
  const [, version = 'ff', traceId = '', spanId = '', flags = '', more] = pattern.exec(header ?? '') ?? []
  if (version === 'ff' || (version === '00' && more !== undefined)) return null
  if (nothing.test(traceId) || nothing.test(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const writeTraceparent = ({ traceId, spanId, sampled }: TracePosition): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
