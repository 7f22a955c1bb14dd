import { isTooDeep } from './json-text.ts'

/** Readers for JSON that others wrote: each returns the wanted kind or nothing, and never throws. */

export type JsonObject = Record<string, unknown>

export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
}

const nothing: readonly unknown[] = Object.freeze([])

export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : nothing
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Finite numbers, also those written as text. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'string' && value.trim() === '') return undefined
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** An amount of something: a finite number that is not negative, 0 for anything else. */
export function amountOf(value: unknown): number {
  return Math.max(numberOf(value) ?? 0, 0)
}

/** The value of a JSON text; undefined when it is not JSON, or nested too deep. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The object in a JSON text; an empty one when it holds none. */
export function parseObject(text: string): JsonObject {
  return objectOf(parseJson(text)) ?? {}
}

/** `value` without the fields that are undefined. */
export function compact<T extends object>(value: T): T {
  const kept: Partial<T> = {}
  for (const key in value) if (value[key] !== undefined) kept[key] = value[key]
  return kept as T
}

/** The objects of a list in the order of their numbers under that name; an entry without one stands where it came. */
export function inOrder(list: unknown, name: string): JsonObject[] {
  const placed = arrayOf(list).map((value, came) => {
    const entry = objectOf(value) ?? {}
    return { entry, place: numberOf(entry[name]) ?? came }
  })
  return placed.sort((one, other) => one.place - other.place).map(({ entry }) => entry)
}
