type AttributeValue = string | number | boolean

/** A span in OTLP's JSON. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { key: string; value: object }[]
  readonly status: { code: number; message?: string }
}

export const spanKind = { server: 2, client: 3 } as const
export const spanStatus = { unset: 0, error: 2 } as const

/** OTLP counts nanoseconds in text, since no JSON number holds them. */
export const nanos = (milliseconds: number): string => `${Math.round(milliseconds)}000000`

const wrap = (value: AttributeValue): object => {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Attributes in OTLP's form; those without a value are left out. */
export const attributes = (
  values: Readonly<Record<string, AttributeValue | undefined>>,
): { key: string; value: object }[] =>
  Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: wrap(value) }]))
