import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { api } from '#shared/api/all.ts'
import type { Endpoint } from '#shared/contract.ts'
import { operate } from '../support/console.ts'
import { startChild } from '../support/process.ts'
import { relayEnvironment } from '../support/relay-environment.ts'
import { createDice, type Dice, oddValues } from './dice.ts'

const rootPassword = 'fuzz-password'
const endpoints: Endpoint[] = Object.values(api).flatMap((resource) => Object.values(resource) as Endpoint[])

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** A value that fits the schema more or less. */
function valueFor(dice: Dice, schema: Schema): unknown {
  if (dice.chance(0.12)) return dice.pick(oddValues)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return dice.pick(schema.enum)
  if (schema.anyOf) return valueFor(dice, dice.pick(schema.anyOf))
  switch (schema.type) {
    case 'string':
      return dice.pick([
        '',
        'a',
        'default',
        '1',
        'x@example.com',
        'https://example.com',
        '{"a":1}',
        dice.text(1 + dice.roll(30)),
      ])
    case 'integer':
    case 'number':
      return dice.pick([0, 1, 2, 3, -1, 100, 1e9, 2 ** 53, 1.5, Math.floor(Date.now() / 1000)])
    case 'boolean':
      return dice.chance(0.5)
    case 'array':
      return Array.from({ length: dice.roll(4) }, () => valueFor(dice, schema.items ?? {}))
    case 'object': {
      const entries = Object.entries(schema.properties ?? {})
      const kept = entries.filter(([name]) => schema.required?.includes(name) || dice.chance(0.6))
      return Object.fromEntries(kept.map(([name, inner]) => [name, valueFor(dice, inner)]))
    }
    default:
      return dice.pick(oddValues)
  }
}

const schemaOf = (endpoint: Endpoint): Schema =>
  z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }) as Schema

/** These would end the run: whoever calls them is gone, or nobody can log in any more. */
const left = new Set<Endpoint>([api.account.remove, api.auth.logout, api.options.update])

function requestFor(dice: Dice, endpoint: Endpoint): { path: string; init: RequestInit } {
  const input = (valueFor(dice, schemaOf(endpoint)) ?? {}) as Record<string, unknown>
  const fields = typeof input === 'object' ? input : { value: input }
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(fields[name] ?? dice.roll(5))),
  )
  if (endpoint.method === 'POST' || endpoint.method === 'PUT') {
    return { path, init: { method: endpoint.method, body: JSON.stringify(fields) } }
  }
  const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]))
  return { path: `${path}?${query}`, init: { method: endpoint.method } }
}

/** Every call of the contract, as everybody, with inputs drawn from its own schema: no 500. Answers what went wrong. */
export async function fuzzConsole(seed: number, seconds: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-fuzz-'))
  const off = {
    RATE_LIMIT_CRITICAL: '0',
    RATE_LIMIT_REGISTER: '0',
    RELEASES_URL: 'http://127.0.0.1:1',
    SWITCHYARD_WORKER: '0',
  }
  const env = { ...relayEnvironment(folder, rootPassword), ...off }
  const node = await startChild(join(import.meta.dirname, '../../server/main.ts'), ['serve'], env)
  const root = await operate(node.url, rootPassword)
  const tokens = new Map<string, string>([['nobody', '']])
  for (const name of ['user', 'admin']) {
    const account = { username: `fuzz-${name}`, password: 'fuzz-password' }
    await root(api.users.create, account)
    if (name === 'admin') await root(api.users.manage, { username: account.username, action: 'promote' })
    const session = await fetch(`${node.url}/api/user/login`, { method: 'POST', body: JSON.stringify(account) })
    const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const made = await fetch(`${node.url}/api/user/token`, { headers: { cookie } })
    tokens.set(name, ((await made.json()) as { data: string }).data)
  }
  tokens.set('root', await root(api.account.accessToken, {}))
  const dice = createDice(seed)
  const faults: string[] = []
  let calls = 0
  const until = Date.now() + seconds * 1000
  while (Date.now() < until) {
    const endpoint = dice.pick(endpoints)
    if (left.has(endpoint)) continue
    const [person, token] = dice.pick([...tokens])
    const { path, init } = requestFor(dice, endpoint)
    const headers: Record<string, string> = token === '' ? {} : { authorization: token }
    const answer = await fetch(node.url + path, {
      ...init,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(20_000),
    })
    calls += 1
    await answer.body?.cancel()
    if (answer.status === 500)
      faults.push(
        `500 for ${person}: ${endpoint.method} ${path.slice(0, 300)} ${String(init.body ?? '').slice(0, 500)}`,
      )
  }
  console.log(`${calls} calls of ${endpoints.length} operations as ${[...tokens.keys()].join(', ')}`)
  await node.stop('SIGKILL')
  return faults
}
