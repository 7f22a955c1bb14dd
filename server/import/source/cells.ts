import { z } from 'zod'
import { withoutZeros } from '#server/lib/without-zeros.ts'

/** The engines and versions disagree on types: what a column may hold becomes one. */
const toText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  // MySQL has days that are none.
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString()
  const text = value instanceof Uint8Array ? new TextDecoder().decode(value) : asText(value)
  return withoutZeros(text)
}

/** Some drivers read JSON columns already. */
const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const toNumber = (value: unknown): number => {
  const number = typeof value === 'boolean' ? Number(value) : Number(toText(value) || 0)
  return Number.isFinite(number) ? number : 0
}

const cell = <Value>(read: (value: unknown) => Value) => z.unknown().default(null).transform(read)

export const text = cell(toText)
/** PostgreSQL pads columns of a fixed length with spaces. */
export const code = cell((value) => toText(value).trim())
export const whole = cell((value) => Math.trunc(toNumber(value)))
export const real = cell(toNumber)
export const flag = cell((value) => /^(1|t|true)$/i.test(toText(value)))
/** Whether there is anything: when something was deleted, say. */
export const isSet = cell((value) => toText(value) !== '')
/** Money: what is no number is not taken for 0 without a word. */
export const amount = cell((value) => {
  const number = Number(toText(value) || Number.NaN)
  return Number.isFinite(number) ? Math.trunc(number) : null
})
