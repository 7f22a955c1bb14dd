import { type JsonObject, objectOf } from '#server/lib/json.ts'

const counts = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']
const schemaLists = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const schemaFields = ['items', 'additionalProperties', 'not']

function typeOf(schema: JsonObject): unknown {
  const type = typeof schema.type === 'string' ? schema.type.toLowerCase() : schema.type
  return schema.nullable === true && typeof type === 'string' ? [type, 'null'] : type
}

/** JSON Schema of Google's own kind of schema: types in capitals, `nullable`, and counts written as text. */
export function jsonSchemaOf(value: unknown): unknown {
  const schema = objectOf(value)
  if (!schema) return value
  const { nullable: _nullable, ...plain } = schema
  const converted: JsonObject = plain
  if (schema.type !== undefined) converted.type = typeOf(schema)
  for (const name of counts) if (typeof plain[name] === 'string') converted[name] = Number(plain[name])
  for (const name of schemaFields) if (objectOf(plain[name])) converted[name] = jsonSchemaOf(plain[name])
  for (const name of schemaLists) {
    const list = plain[name]
    if (Array.isArray(list)) converted[name] = list.map(jsonSchemaOf)
  }
  const properties = objectOf(plain.properties)
  if (properties) {
    const entries = Object.entries(properties).map(([name, property]) => [name, jsonSchemaOf(property)])
    converted.properties = Object.fromEntries(entries)
  }
  return converted
}
