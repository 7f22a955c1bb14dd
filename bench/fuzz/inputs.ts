import { z } from 'zod'
import type { Endpoint } from '#shared/contract.ts'
import { type Dice, oddValues } from './dice.ts'

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

/** Values by the name of their field, as answers gave them: most calls say nothing until they name something that exists. */
export interface Harvest {
  take(answer: unknown): void
  of(name: string): readonly unknown[]
}

const keptPerName = 8

export function createHarvest(): Harvest {
  const kept = new Map<string, unknown[]>()
  const keep = (name: string, value: unknown) => {
    const values = kept.get(name) ?? []
    values.push(value)
    kept.set(name, values.slice(-keptPerName))
  }
  const take = (answer: unknown, depth = 0): void => {
    if (typeof answer !== 'object' || answer === null || depth > 6) return
    for (const [name, value] of Object.entries(answer)) {
      if (typeof value === 'object') take(value, depth + 1)
      else keep(name, value)
    }
  }
  return { take, of: (name) => kept.get(name) ?? [] }
}

const texts = ['', 'a', 'default', '1', '0', '-1', 'x@example.com', '127.0.0.1', '10.0.0.0/8', '{"a":1}', '{}', '[]']
const day = 86_400
const now = Math.floor(Date.now() / 1000)
const numbers = [0, 1, 2, 3, -1, 100, 1e9, 2 ** 31, 2 ** 53, 1.5, now, now - day, now + day]

/** A value that fits the schema more or less. */
function valueFor(dice: Dice, schema: Schema, harvest: Harvest, name = ''): unknown {
  if (dice.chance(0.04)) return dice.pick(oddValues)
  const known = harvest.of(name)
  if (known.length > 0 && dice.chance(0.6)) return dice.pick(known)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return dice.pick(schema.enum)
  if (schema.anyOf) return valueFor(dice, dice.pick(schema.anyOf), harvest, name)
  switch (schema.type) {
    case 'string':
      return dice.pick([...texts, dice.text(1 + dice.roll(30)), 'x'.repeat((schema.maxLength ?? 30) + dice.roll(2))])
    case 'integer':
    case 'number':
      return dice.pick([...numbers, schema.minimum ?? 0, schema.maximum ?? 1])
    case 'boolean':
      return dice.chance(0.5)
    case 'array':
      return Array.from({ length: dice.roll(4) }, () => valueFor(dice, schema.items ?? {}, harvest, singular(name)))
    case 'object': {
      const entries = Object.entries(schema.properties ?? {})
      const kept = entries.filter(([field]) => schema.required?.includes(field) || dice.chance(0.3))
      return Object.fromEntries(kept.map(([field, inner]) => [field, valueFor(dice, inner, harvest, field)]))
    }
    default:
      return dice.pick(oddValues)
  }
}

const singular = (name: string): string => name.replace(/s$/, '')

const schemas = new Map<Endpoint, Schema>()

function schemaOf(endpoint: Endpoint): Schema {
  const known = schemas.get(endpoint)
  if (known) return known
  const drawn = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }) as Schema
  schemas.set(endpoint, drawn)
  return drawn
}

/** A call of the endpoint with an input drawn from its own schema. */
export function callOf(dice: Dice, endpoint: Endpoint, harvest: Harvest): { path: string; init: RequestInit } {
  const input = valueFor(dice, schemaOf(endpoint), harvest)
  const fields = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : { value: input }
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => part(fields[name] ?? 1 + dice.roll(5)))
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const rest = Object.entries(fields).filter(([name]) => !inPath.includes(name))
  if (endpoint.method === 'POST' || endpoint.method === 'PUT') {
    return { path, init: { method: endpoint.method, body: JSON.stringify(Object.fromEntries(rest)) } }
  }
  const query = new URLSearchParams(rest.map(([name, value]) => [name, String(value)]))
  return { path: `${path}?${query}`, init: { method: endpoint.method } }
}

const part = (value: unknown): string => encodeURIComponent(String(value).toWellFormed()) || '-'
