import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { routes } from '#server/relay/relay.routes.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterAll(() => scene.stop())

const calls = routes
  .filter(({ admission }) => admission !== 'open')
  .map(({ method, path }) => ({
    method,
    path: path
      .replace('{version}', 'v1beta')
      .replace('{model}', 'gpt-4o')
      .replaceAll(/\{\w+\}/g, 'x'),
  }))

const ask = (key: string, { method, path }: (typeof calls)[number]) =>
  fetch(scene.app.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(method === 'POST' ? { body: '{}' } : {}),
  })

async function tokenWith(rpm: number): Promise<string> {
  const { key } = await scene.user.call(api.tokens.create, { name: 'limited', unlimited_quota: true, rpm })
  return `sk-${key}`
}

describe('a token that has used up its requests a minute', () => {
  test.each(calls)('is refused $method $path', async (call) => {
    const key = await tokenWith(1)
    await ask(key, { method: 'GET', path: '/v1/files' })
    const refused = await ask(key, call)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('still sees models and what it has left', async () => {
    const key = await tokenWith(1)
    await ask(key, { method: 'GET', path: '/v1/files' })
    expect((await ask(key, { method: 'GET', path: '/v1/models' })).status).toBe(200)
    expect((await ask(key, { method: 'GET', path: '/dashboard/billing/subscription' })).status).toBe(200)
  })
})

test('reading what is kept counts with other requests and says what is left', async () => {
  const key = await tokenWith(3)
  const list = { method: 'GET', path: '/v1/files' } as const
  const left = async () => (await ask(key, list)).headers.get('x-ratelimit-remaining-requests')
  expect([await left(), await left(), await left()]).toEqual(['2', '1', '0'])
  expect((await ask(key, list)).status).toBe(429)
})

test('the limits of a group count what all tokens of its user read', async () => {
  await scene.option('GroupLimits', '{"default":{"rpm":2}}')
  const statuses = []
  for (const key of [await tokenWith(0), await tokenWith(0), scene.key])
    statuses.push((await ask(key, { method: 'GET', path: '/v1/batches' })).status)
  expect(statuses).toEqual([200, 200, 429])
  await scene.clear()
})

test('whoever has nothing still reads what is kept', async () => {
  await scene.root.call(api.users.update, { id: scene.userId, quota: 0 })
  expect((await ask(scene.key, { method: 'GET', path: '/v1/conversations/x' })).status).toBe(404)
  expect((await ask(scene.key, { method: 'GET', path: '/v1/batches' })).status).toBe(200)
})
