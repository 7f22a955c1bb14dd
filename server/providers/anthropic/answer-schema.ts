import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'

/** What Claude reads of a schema for answers; anything else makes it refuse the whole. */
const understood: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'const',
  'default',
  'title',
  'description',
  'properties',
  'required',
  'items',
  'anyOf',
  'allOf',
  '$ref',
  '$defs',
  'definitions',
])
const formats: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
])
/** They say nothing about an answer, or are said anew. */
const needless: ReadonlySet<string> = new Set(['$schema', 'propertyOrdering', 'additionalProperties'])

function isUnderstood(name: string, value: unknown): boolean {
  if (name === 'format') return formats.has(value)
  return understood.has(name) || (name === 'minItems' && (value === 0 || value === 1))
}

const schemaOf = (value: unknown): unknown => {
  const schema = objectOf(value)
  return schema ? answerSchema(schema) : value
}

function within(name: string, value: unknown): unknown {
  if (name === 'items') return schemaOf(value)
  if (name === 'anyOf' || name === 'allOf') return arrayOf(value).map(schemaOf)
  const named = name === 'properties' || name === '$defs' || name === 'definitions' ? objectOf(value) : undefined
  return named ? Object.fromEntries(Object.entries(named).map(([key, each]) => [key, schemaOf(each)])) : value
}

/** The schema as Claude takes it: objects hold nothing without a name, and what it cannot be held to is put into words. */
export function answerSchema({ oneOf, ...schema }: JsonObject): JsonObject {
  const given = Object.entries(Array.isArray(oneOf) && !schema.anyOf ? { ...schema, anyOf: oneOf } : schema)
  const kept = given.filter(([name, value]) => isUnderstood(name, value))
  const spelled = given
    .filter(([name, value]) => !isUnderstood(name, value) && !needless.has(name))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  const words = [textOf(schema.description) ?? '', spelled.length === 0 ? '' : `{${spelled.join(', ')}}`]
  const description = words.filter((text) => text !== '').join('\n\n')
  const isObject = schema.type === 'object' || arrayOf(schema.type).includes('object')
  return {
    ...Object.fromEntries(kept.map(([name, value]) => [name, within(name, value)])),
    ...(description === '' ? {} : { description }),
    ...(isObject ? { additionalProperties: false } : {}),
  }
}
