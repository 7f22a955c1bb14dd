import { withoutZeros } from '#server/lib/text/without-zeros.ts'

/** What a column holds, in the type we need: the engines and versions disagree on types. */
export type CellReader<Value = unknown> = (value: unknown) => Value

const toText = (value: unknown): string => {
  if (typeof value === 'string') return withoutZeros(value)
  if (value === null || value === undefined) return ''
  // MySQL has days that are none.
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString()
  return withoutZeros(value instanceof Uint8Array ? new TextDecoder().decode(value) : asText(value))
}

/** Some drivers read JSON columns already. */
const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const toNumber = (value: unknown): number => {
  const number = typeof value === 'number' || typeof value === 'boolean' ? Number(value) : Number(toText(value) || 0)
  return Number.isFinite(number) ? number : 0
}

export const text: CellReader<string> = toText
/** PostgreSQL pads columns of a fixed length with spaces. */
export const code: CellReader<string> = (value) => toText(value).trim()
/** As far as it can be counted: some write the largest number there is for never. */
export const whole: CellReader<number> = (value) =>
  Math.min(Math.max(Math.trunc(toNumber(value)), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
export const real: CellReader<number> = toNumber
export const flag: CellReader<boolean> = (value) => /^(1|t|true)$/i.test(toText(value))
/**
 * Whether there is anything: when something was deleted, say. Some write a 0 where it was not. A day that is none (0000-00-00) is
 * something: programs ask for null.
 */
export const isSet: CellReader<boolean> = (value) => value instanceof Date || !['', '0'].includes(toText(value))
/** Money: null for what is no number, so that the report can name it. */
export const amount: CellReader<number | null> = (value) => {
  const number = Number(toText(value) || Number.NaN)
  return Number.isFinite(number) ? Math.trunc(number) : null
}
