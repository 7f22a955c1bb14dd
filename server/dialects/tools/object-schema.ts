import { arrayOf, type JsonObject, objectOf } from '#server/lib/json.ts'

const joins = ['anyOf', 'oneOf', 'allOf'] as const

const namesOf = (schema: JsonObject): readonly unknown[] => arrayOf(schema.required)

/** One object out of several: all their properties; required is what all of them require, of `allOf` what any does. */
function merged(schema: JsonObject): JsonObject {
  const parts = joins.map((join) => arrayOf(schema[join]).map((entry) => objectOf(entry) ?? {}))
  const [any = [], one = [], all = []] = parts
  const choices = [...any, ...one]
  const properties = Object.assign({}, ...parts.flat().map((part) => objectOf(part.properties) ?? {}))
  const [common = [], ...others] = choices.map((part) => new Set(namesOf(part)))
  const shared = [...common].filter((name) => others.every((names) => names.has(name)))
  const required = [...new Set([...namesOf(schema), ...all.flatMap(namesOf), ...shared])]
  const rest = Object.fromEntries(Object.entries(schema).filter(([key]) => !joins.some((join) => join === key)))
  return {
    ...rest,
    properties: { ...properties, ...objectOf(schema.properties) },
    ...(required.length === 0 ? {} : { required }),
  }
}

/** The arguments of a tool as vendors demand them: an object at the top, said to be one, and no choice between several. */
export function objectSchema(parameters: JsonObject | undefined): JsonObject {
  const schema = parameters ?? {}
  const plain = joins.some((join) => Array.isArray(schema[join])) ? merged(schema) : schema
  if (plain.type === 'object' && plain.properties !== undefined) return plain
  return { ...plain, type: 'object', properties: objectOf(plain.properties) ?? {} }
}
