import { describe, expect, test } from 'bun:test'
import { schemas as newApi } from '#server/testing/new-api/schema.ts'
import type { Columns } from '#server/testing/old-database.ts'
import { schemas as oneApi } from '#server/testing/one-api/schema.ts'
import type { ProgramName } from './program.ts'
import { recognise } from './programs.ts'
import type { Source } from './source/source.ts'

type Tables = Readonly<Record<string, Columns>>

const sourceWith = (tables: Tables): Source => ({
  schema: new Map(Object.entries(tables).map(([table, columns]) => [table, new Set(Object.keys(columns))])),
  query: async () => [],
  quote: (name) => name,
  exact: (name) => name,
  release: async () => {},
  close: async () => {},
})

const recognised = (tables: Tables, named: ProgramName | null = null) => {
  const source = sourceWith(tables)
  return recognise(source, source, named).name
}

const without = (tables: Tables, table: string, column: string): Tables => ({
  ...tables,
  [table]: Object.fromEntries(Object.entries(tables[table] ?? {}).filter(([name]) => name !== column)),
})

const old = newApi['0.4'] as Tables
const today = newApi['1.0'] as Tables
const forked = oneApi.fork

describe('the program that made a database', () => {
  test('is known by its tables and columns', () => {
    expect(recognised(oneApi['0.6.4'])).toBe('one-api')
    expect(recognised(oneApi['0.6.11'])).toBe('one-api')
    expect(recognised(forked)).toBe('one-api')
    expect([recognised(old), recognised(today)]).toEqual(['new-api', 'new-api'])
  })

  test('is taken at its word when it fits, and refused when it does not', () => {
    expect(recognised(old, 'new-api')).toBe('new-api')
    expect(() => recognised(old, 'one-api')).toThrow('as only new-api makes them')
    expect(() => recognised(forked, 'new-api')).toThrow('tokens.model_limits')
    expect(() => recognised(forked, 'one-hub')).toThrow('prices.channel_type')
    expect(() => recognised(today, 'one-hub')).toThrow('as only new-api makes them')
  })

  test('has to have every column that is read: what is missing is named', () => {
    expect(() => recognised(without(old, 'tokens', 'allow_ips'))).toThrow('tokens.allow_ips is missing')
    expect(() => recognised(without(today, 'two_fas', 'secret'))).toThrow('two_fas.secret is missing')
    expect(() => recognised(without(oneApi['0.6.4'], 'users', 'quota'))).toThrow('users.quota is missing')
    const { logs: _, ...rest } = old
    expect(() => recognised(rest)).toThrow('logs is missing')
    expect(() => recognised({})).toThrow('it has no tables')
    expect(() => recognised({ posts: { id: 'id' } })).toThrow('none of the tables of one-hub, new-api, one-api')
  })

  test('is not guessed where two left their marks', () => {
    const mixed = { ...old, prices: { channel_type: 'whole' as const } }
    expect(() => recognised(mixed)).toThrow('marks of two programs')
  })

  test('may keep its log rows in a database of their own', () => {
    const { logs, ...rest } = today
    expect(recognise(sourceWith(rest), sourceWith({ logs: logs ?? {} }), null).name).toBe('new-api')
  })
})
