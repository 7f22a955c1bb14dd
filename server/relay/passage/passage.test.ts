import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { expectUntouched } from '#server/testing/expect-charge.ts'
import { eventStream, type SeenRequest } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startingQuota, startRelayScene } from '#server/testing/relay-scene.ts'
import { openSocket } from '#server/testing/socket-client.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
let adminKey = ''
beforeAll(async () => {
  scene = await startRelayScene()
  await scene.root.call(api.users.update, { id: 1, quota: startingQuota })
  const token = await scene.root.call(api.tokens.create, { name: 'admin', remain_quota: startingQuota })
  adminKey = `sk-${token.key}`
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const pass = (path: string, init: RequestInit = {}) =>
  fetch(`${scene.app.url}/pass${path}`, {
    ...init,
    headers: { authorization: `Bearer ${adminKey}`, ...init.headers },
  })

const wallet = async () => {
  const { db } = scene.app.ctx.database
  const user = await db.selectFrom('users').select('quota').where('id', '=', 1).executeTakeFirstOrThrow()
  return user.quota
}

/** What the administrator paid for something, and the rows it left. */
async function paid(work: () => Promise<unknown>) {
  const before = await wallet()
  const bill = await scene.bill(work)
  return { paid: before - (await wallet()), rows: bill.rows }
}

const echo = ({ path, url, raw, headers }: SeenRequest) =>
  Response.json({ path, query: url.search, raw, agent: headers.get('x-mine') })

const open = async (price = 0) => {
  await scene.option('PassthroughEnabled', true)
  await scene.option('PassthroughPrice', price)
}

describe('the vendor passage', () => {
  test('is closed unless the option opens it, and to everybody but administrators', async () => {
    const channel = await scene.channel(echo)
    expectUntouched(
      await scene.bill(async () => {
        expect((await pass('/1/v1/models')).status).toBe(403)
        await open()
        expect((await pass('/1/v1/models', { headers: { authorization: `Bearer ${scene.key}` } })).status).toBe(403)
        expect((await pass('/1/v1/models', { headers: { authorization: 'Bearer sk-nobody' } })).status).toBe(401)
        expect((await pass('/24/v1beta/models')).status).toBe(404)
        expect((await pass('/no-such-channel/v1/models')).status).toBe(404)
      }),
    )
    expect(channel.seen).toHaveLength(0)
  })

  test('a free call is logged, by the number of the type and by the name of the channel', async () => {
    await open()
    const channel = await scene.channel(echo, { name: 'a name/with more' })
    const { paid: quota, rows } = await paid(async () => {
      expect(await (await pass('/1/v1/files?limit=2&after=a%2Fb')).json()).toEqual({
        path: '/v1/files',
        query: '?limit=2&after=a%2Fb',
        raw: '',
        agent: null,
      })
      expect((await pass('/a%20name%2Fwith%20more/v1/models')).status).toBe(200)
    })
    expect(quota).toBe(0)
    expect(rows.map(({ quota: cost, channel: through, outcome }) => [cost, through, outcome])).toEqual([
      [0, channel.id, 'done'],
      [0, channel.id, 'done'],
    ])
    expect(rows[1]?.content).toContain('GET /v1/files')
  })

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('%s costs its price once, byte for byte', async (method) => {
    await open(7)
    const channel = await scene.channel(echo)
    const raw = '{"b": 1,  "a":[ ],"b2":"é"}'
    const { paid: quota, rows } = await paid(async () => {
      const answer = await pass('/1/v1/anything', {
        method,
        headers: { 'content-type': 'application/json', 'x-mine': 'kept' },
        ...(method === 'GET' ? {} : { body: raw }),
      })
      expect(await answer.json()).toMatchObject({ raw: method === 'GET' ? '' : raw, agent: 'kept' })
      expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    })
    expect(quota).toBe(7)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ quota: 7, channel: channel.id, model_name: 'passage', outcome: 'done' })
  })

  test('the caller’s key goes on nowhere, the channel’s takes its place', async () => {
    await open()
    const channel = await scene.channel(echo, { key: 'the-vendors-key' })
    const gemini = await scene.channel(echo, { type: 24, key: 'googles-key', models: 'gemini-2.5-pro' })
    const bare = adminKey.slice(3)
    for (const headers of [
      { authorization: `Bearer ${adminKey}` },
      { authorization: '', 'x-api-key': adminKey },
      { authorization: '', 'api-key': adminKey },
      { authorization: '', 'x-goog-api-key': adminKey },
    ])
      await pass('/1/v1/x', {
        headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
      })
    await fetch(`${scene.app.url}/pass/24/v1beta/models?key=${adminKey}&pageSize=3`, {
      headers: { 'x-note': `it is ${adminKey}`, cookie: 'session=secret' },
    })
    for (const seen of [...channel.seen, ...gemini.seen])
      expect(JSON.stringify([...seen.headers]) + seen.url.href).not.toContain(bare)
    expect(channel.seen.map((seen) => seen.headers.get('authorization'))).toEqual(
      Array(4).fill('Bearer the-vendors-key'),
    )
    expect(gemini.seen[0]?.headers.get('x-goog-api-key')).toBe('googles-key')
    expect(gemini.seen[0]?.url.search).toBe('?pageSize=3')
    expect(gemini.seen[0]?.headers.get('cookie')).toBeNull()
  })

  test('what the vendor packed stays packed, what it refuses costs nothing, and no page comes through as one', async () => {
    await open(9)
    const packed = gzipSync('packed')
    await scene.channel([
      () => new Response(packed, { headers: { 'content-encoding': 'gzip', 'content-type': 'text/plain' } }),
      () => Response.json({ error: 'no' }, { status: 422, headers: { 'set-cookie': 'a=b' } }),
      () => new Response('<script>1</script>', { headers: { 'content-type': 'text/html' } }),
    ])
    const first = await pass('/1/packed', { headers: { 'accept-encoding': 'gzip' } })
    expect(await first.text()).toBe('packed')
    const { paid: quota, rows } = await paid(async () => {
      const refused = await pass('/1/refused')
      expect(refused.status).toBe(422)
      expect(refused.headers.get('set-cookie')).toBeNull()
      expect(await refused.json()).toEqual({ error: 'no' })
    })
    expect(quota).toBe(0)
    expect(rows[0]).toMatchObject({ quota: 0, outcome: 'failed' })
    expect((await pass('/1/page')).headers.get('content-type')).toBe('application/octet-stream')
  })

  test('what the vendor refuses does not show its key', async () => {
    await open(9)
    const key = 'secret-of-the-channel'
    const said = { error: { message: `no such key: ${key}` } }
    const headers = { 'x-reason': key, 'x-kind': 'key' }
    await scene.channel(() => Response.json(said, { status: 401, headers }), { key })
    const { paid: quota } = await paid(async () => {
      const refused = await pass('/1/refused')
      expect(refused.status).toBe(401)
      expect(await refused.json()).toEqual({ error: { message: 'no such key: [key]' } })
      expect([refused.headers.get('x-reason'), refused.headers.get('x-kind')]).toEqual([null, 'key'])
    })
    expect(quota).toBe(0)
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('nor packed with %s', async (coding, pack) => {
    await open()
    const key = 'secret-of-the-channel'
    const headers = { 'content-encoding': coding, 'content-type': 'application/json' }
    const said = pack(JSON.stringify({ error: `no such key: ${key}` }))
    await scene.channel(() => new Response(said, { status: 401, headers }), { key })
    const refused = await pass('/1/refused', { headers: { 'accept-encoding': coding } })
    expect(refused.headers.get('content-encoding')).toBeNull()
    expect([refused.status, await refused.json()]).toEqual([401, { error: 'no such key: [key]' }])
  })

  test('nor in a way nobody here can read', async () => {
    await open()
    const key = 'secret-of-the-channel'
    await scene.channel(() => new Response(key, { status: 400, headers: { 'content-encoding': 'gzip, br' } }), { key })
    const refused = await pass('/1/refused')
    expect([refused.status, await refused.text()]).toEqual([400, ''])
  })

  test('nor cut into pieces', async () => {
    await open()
    const key = 'secret-of-the-channel'
    const says = eventStream('secret is no good, nor is ', key.slice(0, 8), 20, key.slice(8), '.')
    await scene.channel(async (seen) => new Response((await says(seen)).body, { status: 401 }), { key })
    expect(await (await pass('/1/refused')).text()).toBe('secret is no good, nor is [key].')
  })

  test('a socket is refused, and nothing is asked or paid for it', async () => {
    await open(7)
    const channel = await scene.channel(echo)
    const { paid: quota, rows } = await paid(async () => {
      const headers = { authorization: `Bearer ${adminKey}` }
      await expect(openSocket(`${scene.app.url}/pass/1/v1/realtime`, { headers })).rejects.toThrow()
    })
    expect([quota, rows, channel.seen]).toEqual([0, [], []])
    // A client that would rather speak HTTP/2 is answered as it is.
    expect((await pass('/1/v1/models', { headers: { upgrade: 'h2c' } })).status).toBe(200)
  })

  test('a stream passes as one, and leaving it costs the same', async () => {
    await open(5)
    const more = Promise.withResolvers<void>()
    const channel = await scene.channel(async ({ signal }) => {
      const body = new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode('data: 1\n\n'))
          await Promise.race([more.promise, new Promise((resolve) => signal.addEventListener('abort', resolve))])
          if (!signal.aborted) controller.close()
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    })
    const { paid: quota, rows } = await paid(async () => {
      const leaving = new AbortController()
      const answer = await pass('/1/stream', { signal: leaving.signal })
      const piece = await answer.body?.getReader().read()
      expect(new TextDecoder().decode(piece?.value)).toBe('data: 1\n\n')
      leaving.abort()
    })
    expect(quota).toBe(5)
    expect(rows[0]).toMatchObject({ quota: 5, outcome: 'cut' })
    expect(channel.seen[0]?.signal.aborted).toBe(true)
  })

  test('nobody at the address is 502 and free, too little money 402, too large a body 413', async () => {
    await open(5)
    await scene.channel(echo, { base_url: 'http://127.0.0.1:9' })
    const { paid: quota, rows } = await paid(async () => expect((await pass('/1/x')).status).toBe(502))
    expect(quota).toBe(0)
    expect(rows[0]).toMatchObject({ quota: 0, outcome: 'failed' })
    await scene.option('PassthroughPrice', 2 * startingQuota)
    expectUntouched(await scene.bill(async () => expect((await pass('/1/x')).status).toBe(402)))
    await scene.option('PassthroughPrice', 0)
    const large = new Uint8Array(64 * 1024 * 1024 + 1)
    expectUntouched(
      await scene.bill(async () => expect((await pass('/1/x', { method: 'POST', body: large })).status).toBe(413)),
    )
  })
})
