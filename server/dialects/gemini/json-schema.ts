import { type JsonObject, objectOf } from '#server/lib/json.ts'
import { words } from '#server/lib/words.ts'

const counts = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']
const schemaLists = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const schemaFields = ['items', 'additionalProperties', 'not']
const schemaMaps = ['properties', '$defs']

/** Names as Google's Python client writes them. */
const spelled = words<string>({
  any_of: 'anyOf',
  one_of: 'oneOf',
  all_of: 'allOf',
  prefix_items: 'prefixItems',
  additional_properties: 'additionalProperties',
  property_ordering: 'propertyOrdering',
  min_items: 'minItems',
  max_items: 'maxItems',
  min_length: 'minLength',
  max_length: 'maxLength',
  min_properties: 'minProperties',
  max_properties: 'maxProperties',
  defs: '$defs',
  ref: '$ref',
})

const inOneSpelling = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).map(([name, value]) => [spelled[name] ?? name, value]))

function typeOf(schema: JsonObject): unknown {
  const type = typeof schema.type === 'string' ? schema.type.toLowerCase() : schema.type
  return schema.nullable === true && typeof type === 'string' ? [type, 'null'] : type
}

/** JSON Schema of Google's own kind of schema: types in capitals, `nullable`, and counts written as text. */
export function jsonSchemaOf(value: unknown): unknown {
  const given = objectOf(value)
  if (!given) return value
  const schema = inOneSpelling(given)
  const { nullable: _nullable, ...plain } = schema
  const converted: JsonObject = plain
  if (schema.type !== undefined) converted.type = typeOf(schema)
  for (const name of counts) if (typeof plain[name] === 'string') converted[name] = Number(plain[name])
  for (const name of schemaFields) if (objectOf(plain[name])) converted[name] = jsonSchemaOf(plain[name])
  for (const name of schemaLists) {
    const list = plain[name]
    if (Array.isArray(list)) converted[name] = list.map(jsonSchemaOf)
  }
  for (const name of schemaMaps) {
    const named = objectOf(plain[name])
    if (named)
      converted[name] = Object.fromEntries(Object.entries(named).map(([key, each]) => [key, jsonSchemaOf(each)]))
  }
  if (typeof plain.$ref === 'string') converted.$ref = plain.$ref.replace(/^#\/defs\//, '#/$defs/')
  return converted
}
