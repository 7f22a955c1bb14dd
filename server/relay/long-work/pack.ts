/** Values as text and back: JSON that also knows whole numbers of any size, maps and sets. */

const packed = (_: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return { $whole: String(value) }
  if (value instanceof Map) return { $map: [...value] }
  return value instanceof Set ? { $set: [...value] } : value
}

const unpacked = (_: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if ('$whole' in value) return BigInt(String(value.$whole))
  if ('$map' in value) return new Map(value.$map as [unknown, unknown][])
  return '$set' in value ? new Set(value.$set as unknown[]) : value
}

export const pack = (value: unknown): string => JSON.stringify(value, packed)

/** Only for text from `pack`: the content is trusted. */
export const unpack = <Value>(text: string): Value => JSON.parse(text, unpacked)
