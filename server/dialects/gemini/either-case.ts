import { type JsonObject, objectOf } from '#server/lib/json.ts'

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A field of Google's JSON, which is read in camelCase and in snake_case alike. */
export function field(object: JsonObject | undefined, name: string): unknown {
  if (!object) return undefined
  return object[name] ?? object[snake(name)] ?? undefined
}

export function objectField(object: JsonObject | undefined, name: string): JsonObject | undefined {
  return objectOf(field(object, name))
}
