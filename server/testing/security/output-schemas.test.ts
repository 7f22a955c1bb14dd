import { expect, test } from 'bun:test'
import { z } from 'zod'
import { api } from '#shared/api/all.ts'

/** A field as JSON Schema has it. */
const Field = z.looseObject({})

/** Every field of a schema that may hold text, at any depth. What is always the same text tells nobody anything. */
function textFields(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([keyword, inner]) => {
    if (keyword !== 'properties') return textFields(inner)
    return Object.entries(inner as object).flatMap(([name, field]) => {
      const { type, const: always } = Field.parse(field)
      const holdsText = always === undefined && !numbers.has(type)
      return [...(holdsText ? [name] : []), ...textFields(field)]
    })
  })
}

const numbers = new Set<unknown>(['number', 'integer', 'boolean'])

const secretName = /hash|sealed|secret|password|credential|recovery_codes|^(access_)?(key|token|code)$/

const named = Object.values(api)
  .flatMap((resource) => Object.values(resource))
  .map(({ method, path, output }) => {
    const fields = textFields(z.toJSONSchema(output, { unrepresentable: 'any' }))
    return [`${method} ${path}`, [...new Set(fields)].filter((name) => secretName.test(name))] as const
  })
  .filter(([, fields]) => fields.length > 0)

/** Keys of the own tokens, codes for who hands them out, secrets shown once; the other names are those of no secret. */
const shown: Readonly<Record<string, readonly string[]>> = {
  'GET /api/option/': ['key'],
  'GET /api/redemption/': ['key'],
  'GET /api/redemption/:id': ['key'],
  'GET /api/redemption/search': ['key'],
  'PUT /api/redemption/': ['key'],
  'GET /api/token/': ['key'],
  'GET /api/token/:id': ['key'],
  'GET /api/token/search': ['key'],
  'POST /api/token/': ['key'],
  'PUT /api/token/': ['key'],
  'POST /api/token/:id/rotate': ['key'],
  'POST /api/token/:id/rotate/end': ['key'],
  'GET /api/usage/series': ['key'],
  'GET /api/usage/statement': ['token'],
  'GET /api/usage/table': ['key'],
  'POST /api/team/:id/invite': ['code'],
  'POST /api/user/totp': ['secret'],
  'POST /api/user/totp/confirm': ['recovery_codes'],
  'POST /api/user/totp/recovery': ['recovery_codes'],
}

test('what sounds like a secret is shown by the calls that are meant to, and by no other', () => {
  expect(named.length).toBeGreaterThan(0)
  expect<Record<string, readonly string[]>>(Object.fromEntries(named)).toEqual(shown)
})
