import { describe, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { authApi } from '#shared/api/auth.ts'
import { statusApi } from '#shared/api/status.ts'
import { clientAddress, networkOf } from './client-address.ts'
import { createRateLimiter } from './rate-limit.ts'

describe('the console API', () => {
  test('is limited by client address, and opens again with the next window', async () => {
    const app = await startTestApp({ env: { RATE_LIMIT_API: '3/60', TRUST_PROXY: '1' } })
    app.time.now = 1_800_000_000_000
    const call = (from: string) => app.client({ 'x-forwarded-for': from }).raw(statusApi.status, {})
    for (let at = 0; at < 3; at++) expect((await call('10.0.0.1')).status).toBe(200)
    expect(await call('10.0.0.1')).toMatchObject({
      status: 429,
      success: false,
      message: 'too many requests, try again later',
    })
    expect((await call('10.0.0.2')).status).toBe(200)
    app.time.now += 60_000
    expect((await call('10.0.0.1')).status).toBe(200)
    await app.stop()
  })

  test('believes no forwarded address unless a proxy is trusted', async () => {
    const app = await startTestApp({ env: { RATE_LIMIT_API: '2/60' } })
    app.time.now = 1_800_000_000_000
    const statuses = []
    for (const from of ['10.0.0.1', '10.0.0.2', '10.0.0.3']) {
      statuses.push((await app.client({ 'x-forwarded-for': from }).raw(statusApi.status, {})).status)
    }
    expect(statuses).toEqual([200, 200, 429])
    await app.stop()
  })

  test.skipIf(!onPostgres)(
    'counts no further calls of who was refused, on each of three nodes, until the window ends',
    async () => {
      const databaseUrl = await freshDatabaseUrl()
      const env = { RATE_LIMIT_API: '3/60' }
      const nodes = await Promise.all([1, 2, 3].map(() => startTestApp({ databaseUrl, env })))
      const [first] = nodes
      if (!first) throw new Error('no node')
      const { db } = first.ctx.database
      for (const { time } of nodes) time.now = 1_800_000_000_000
      const ask = (node: TestApp) => node.client().raw(statusApi.status, {})
      const counted = async () =>
        (await db.selectFrom('rate_windows').select('count').where('bucket', 'like', 'api:%').execute()).map(
          ({ count }) => count,
        )
      for (const node of nodes) expect((await ask(node)).status).toBe(200)
      for (const node of nodes) expect((await ask(node)).status).toBe(429)
      expect(await counted()).toEqual([6])
      for (let at = 0; at < 9; at += 1) for (const node of nodes) expect((await ask(node)).status).toBe(429)
      expect(await counted()).toEqual([6])
      for (const { time } of nodes) time.now = 1_800_000_060_000
      for (const node of nodes) expect((await ask(node)).status).toBe(200)
      for (const node of nodes) await node.stop()
    },
  )

  test('lets in who was refused when what was counted is taken back', async () => {
    const app = await startTestApp({ env: { RATE_LIMIT_REGISTER: '1/60' } })
    app.time.now = 1_800_000_000_000
    const limiter = createRateLimiter(app.ctx)
    expect([await limiter.allow('register', 'a'), await limiter.allow('register', 'a')]).toEqual([true, false])
    for (let taken = 0; taken < 2; taken += 1) await limiter.forgive('register', 'a')
    expect(await limiter.allow('register', 'a')).toBe(true)
    await app.stop()
  })

  test.skipIf(!onPostgres)('shares its limits among the nodes of one database', async () => {
    const databaseUrl = await freshDatabaseUrl()
    const env = { RATE_LIMIT_CRITICAL: '4/1200' }
    const nodes = [await startTestApp({ databaseUrl, env }), await startTestApp({ databaseUrl, env })]
    const statuses = []
    for (let at = 0; at < 6; at++) {
      const node = nodes[at % 2]
      statuses.push((await node?.client().raw(authApi.login, { username: `u${at}`, password: 'guess' }))?.status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
    for (const node of nodes) await node.stop()
  })
})

test.each([
  ['', 0, 'peer'],
  ['1.1.1.1', 0, 'peer'],
  ['1.1.1.1', 1, '1.1.1.1'],
  ['6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
  ['6.6.6.6, 1.1.1.1, 2.2.2.2', 2, '1.1.1.1'],
  ['1.1.1.1', 2, '1.1.1.1'],
  ['', 1, 'peer'],
  ['1.1.1.1:4711', 1, '1.1.1.1'],
  ['[2001:db8::1]:4711', 1, '2001:db8::1'],
  ['[2001:db8::1]', 1, '2001:db8::1'],
  ['2001:db8::1', 1, '2001:db8::1'],
])('of the forwarded addresses %j with %i proxies the client is %s', (header, proxies, expected) => {
  const request = new Request('http://relay.test', { headers: { 'x-forwarded-for': header } })
  expect(clientAddress(request, 'peer', proxies)).toBe(expected)
})

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s shares the limit of %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
