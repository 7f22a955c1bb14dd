import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type RelayScene, startingQuota, startRelayScene } from '#server/testing/relay-scene.ts'
import { handshake, openSocket } from '#server/testing/socket-client.ts'
import { type SocketUpstream, startSocketUpstream } from '#server/testing/socket-upstream.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
let vendor: SocketUpstream
const usage = { total_tokens: 2000, input_tokens: 1000, output_tokens: 1000 }
const spoken = { audio_tokens: 17 }
const ofWords = { type: 'tokens', total_tokens: 22, input_tokens: 17, input_token_details: spoken, output_tokens: 5 }
/** 1,000 × 2 + 1,000 × 8 */
const price = 10_000

beforeAll(async () => {
  scene = await startRelayScene({ env: { CLIENT_IDLE_TIMEOUT: '60' } })
  vendor = startSocketUpstream((socket, frame) => {
    const { type } = frame === null ? { type: '' } : JSON.parse(String(frame))
    if (type === 'input_audio_buffer.commit')
      socket.send(
        JSON.stringify({
          type: 'conversation.item.input_audio_transcription.completed',
          transcript: 'hello',
          usage: ofWords,
        }),
      )
    if (type === 'response.create')
      socket.send(JSON.stringify({ type: 'response.done', response: { id: 'r', status: 'completed', usage } }))
  })
})
afterEach(async () => {
  scene.app.time.now = null
  vendor.seen.length = 0
  await scene.root.call(api.users.update, { id: scene.userId, quota: startingQuota })
  await scene.clear()
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await vendor.stop()
  await scene.stop()
})

const channel = (more: object = {}) =>
  scene.channel(() => new Response(), { models: 'gpt-realtime', base_url: vendor.url, ...more })
const address = (model = 'gpt-realtime') => `${scene.app.url}/v1/realtime?model=${model}`
const headers = () => ({ authorization: `Bearer ${scene.key}` })
const open = (model?: string) => openSocket(address(model), { headers: headers() })

describe('a realtime session', () => {
  test('ends when the balance is spent, with a code and a reason', async () => {
    await channel()
    await scene.root.call(api.users.update, { id: scene.userId, quota: 2 * price + 100 })
    const client = await open()
    client.say({ type: 'response.create' })
    await client.frame('response.done')
    client.say({ type: 'response.create' })
    const { code, reason } = await client.end()
    expect(code).toBe(1008)
    expect(reason).toContain('insufficient_quota')
    expect(String(client.frames.at(-1))).toContain('insufficient_quota')
    const books = await eventually(scene.books, ({ holds }) => holds === 0)
    expect(books.userQuota).toBe(100)
    expect(vendor.seen[0]?.closed).not.toBeNull()
  })

  test('ends before a question that the balance cannot pay is asked to the end', async () => {
    await channel()
    await scene.root.call(api.users.update, { id: scene.userId, quota: 5000 })
    const client = await open()
    // A minute of sound is six hundred tokens.
    client.say({ type: 'input_audio_buffer.append', audio: Buffer.alloc(48_000 * 60).toString('base64') })
    expect((await client.end()).code).toBe(1008)
    expect((await eventually(scene.books, ({ holds }) => holds === 0)).userQuota).toBe(5000)
  })

  test('ends with its key', async () => {
    await channel()
    const token = await scene.user.call(api.tokens.create, { name: 'short-lived', remain_quota: startingQuota })
    const client = await openSocket(address(), { headers: { authorization: `Bearer sk-${token.key}` } })
    await scene.user.call(api.tokens.update, { id: token.id, status: 2 })
    client.say({ type: 'response.create' })
    expect((await client.end()).code).toBe(1008)
    await eventually(scene.books, ({ holds }) => holds === 0)
  })

  test('cannot change to another model, nor be written down by one without a price or by two', async () => {
    await channel()
    const client = await open()
    client.say({ type: 'session.update', session: { model: 'gpt-realtime-dear' } })
    await client.frame('model')
    const audio = { input: { transcription: { model: 'whisper-1' } } }
    client.say({ type: 'session.update', session: { audio, input_audio_transcription: { model: 'unknown-one' } } })
    await eventually(
      () => client.frames.length,
      (count) => count === 2,
    )
    client.say({
      type: 'session.update',
      session: { audio, input_audio_transcription: { model: 'gpt-4o-transcribe' } },
    })
    await client.frame('not both')
    client.send('{"type":"input_audio_buffer.append","type":"session.update","session":{}}')
    await eventually(
      () => client.frames.length,
      (count) => count === 4,
    )
    expect(vendor.seen[0]?.frames).toEqual([])
    client.say({ type: 'session.update', session: { model: 'gpt-realtime', instructions: 'be kind' } })
    await eventually(
      () => vendor.seen[0]?.frames.length,
      (count) => count === 1,
    )
    client.leave()
    await eventually(scene.books, ({ holds }) => holds === 0)
  })

  test('pays what is written down at the price of the model that writes', async () => {
    await channel()
    const bill = await scene.bill(async () => {
      const client = await open()
      const transcription = { model: 'gpt-4o-transcribe' }
      client.say({ type: 'session.update', session: { audio: { input: { transcription } } } })
      client.say({ type: 'input_audio_buffer.commit' })
      await client.frame('transcription.completed')
      client.leave()
    })
    // 17 × 3 + 5 × 5
    expect(bill.rows.map(({ quota, model_name: model }) => [quota, model])).toContainEqual([76, 'gpt-4o-transcribe'])
    expect(bill.user).toBe(-76)
  })

  test('is mapped to the vendor’s name, in the address and in what is said of it', async () => {
    await channel({ models: 'talk', model_mapping: '{"talk": "gpt-realtime"}' })
    const client = await open('talk')
    client.say({ type: 'session.update', session: { model: 'talk' } })
    await eventually(
      () => vendor.seen[0]?.frames.length,
      (count) => count === 1,
    )
    expect(JSON.parse(String(vendor.seen[0]?.frames[0])).session.model).toBe('gpt-realtime')
    expect(vendor.seen[0]?.url.searchParams.get('model')).toBe('gpt-realtime')
    client.leave()
    await eventually(scene.books, ({ holds }) => holds === 0)
  })

  test('passes over a key of a pool that is dead, and says no more than that the vendor refused', async () => {
    await channel({ key: 'dead\nalive', pool: true })
    vendor.refuse(({ headers }) =>
      headers.get('authorization') === 'Bearer dead'
        ? Response.json({ error: { message: 'bad key dead', code: 'invalid_api_key' } }, { status: 401 })
        : null,
    )
    for (let round = 0; round < 2; round += 1) (await open()).leave()
    expect(vendor.seen.map(({ headers: sent }) => sent.get('authorization'))).toEqual(['Bearer alive', 'Bearer alive'])
    vendor.refuse(() => Response.json({ error: { message: 'no such model' } }, { status: 404 }))
    expect((await handshake(address(), headers())).status).toBe(404)
    vendor.refuse(null)
    await eventually(scene.books, ({ holds }) => holds === 0)
  })

  test('probes a channel whose rest is over; until it is taken, others open elsewhere', async () => {
    await scene.option('RetryTimes', 1)
    await channel({ key: 'resting', priority: 1 })
    await channel({ key: 'other' })
    const isResting = ({ headers }: Request) => headers.get('authorization') === 'Bearer resting'
    vendor.refuse((request) => (isResting(request) ? new Response('', { status: 500 }) : null))
    for (let round = 0; round < 5; round += 1) (await open()).leave()
    scene.app.time.now = Date.now() + 11_000
    const probe = Promise.withResolvers<null>()
    let probes = 0
    vendor.refuse((request) => {
      if (!isResting(request)) return null
      probes += 1
      return probe.promise
    })
    const probing = open()
    await eventually(
      () => probes,
      (count) => count === 1,
    )
    for (let round = 0; round < 2; round += 1) (await open()).leave()
    expect(probes).toBe(1)
    probe.resolve(null)
    ;(await probing).leave()
    ;(await open()).leave()
    expect(probes).toBe(2)
    await eventually(scene.books, ({ holds }) => holds === 0)
  })

  test('that was refused is settled, and its caller is not shown what the vendor said of the operator’s account', async () => {
    await channel()
    const message = 'the account of \u0000 Jane Doe is closed'
    vendor.refuse(() => Response.json({ error: { message } }, { status: 401 }))
    expect((await handshake(address(), headers())).status).toBe(502)
    vendor.refuse(null)
    await eventually(scene.books, ({ holds }) => holds === 0)
    const { rows } = await scene.books()
    const [{ request_id = '' } = {}] = rows
    const saidTo = async (client: typeof scene.root) => {
      const { tries } = await client.call(api.logs.request, { request_id })
      return tries.map(({ fault }) => fault?.message)
    }
    expect(await saidTo(scene.root)).toEqual(['the account of  Jane Doe is closed'])
    expect(await saidTo(scene.user)).toEqual(['The upstream refused the channel; the administrator has to look at it.'])
  })

  test('leaves a channel alone as long as its vendor asked, and so is its client', async () => {
    await channel()
    vendor.refuse(() =>
      Response.json({ error: { message: 'slow down' } }, { status: 429, headers: { 'retry-after': '40' } }),
    )
    const refused = await handshake(address(), headers())
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40'])
    vendor.refuse(null)
    const [resting] = await scene.root.call(api.routing.resting, {})
    expect((resting?.resting_until ?? 0) * 1000 - Date.now()).toBeGreaterThan(30_000)
    await eventually(scene.books, ({ holds }) => holds === 0)
  })

  test('reaches a deployment of Azure by its key', async () => {
    await channel({ type: 3, key: 'azures-key', other: '2025-04-01-preview' })
    const client = await open()
    const { pathname, search } = vendor.seen[0]?.url ?? {}
    expect(pathname).toBe('/openai/realtime')
    expect(search).toBe('?api-version=2025-04-01-preview&deployment=gpt-realtime&model=gpt-realtime')
    expect(vendor.seen[0]?.headers.get('api-key')).toBe('azures-key')
    client.leave()
    await eventually(scene.books, ({ holds }) => holds === 0)
  })

  test.each([
    ['in which nothing is said', 61_000],
    ['of an hour', 60 * 60_000 + 1000],
  ])('%s ends', async (_, ms) => {
    await channel()
    const client = await open()
    scene.app.time.now = Date.now() + ms
    expect((await client.end()).code).toBe(1001)
    scene.app.time.now = null
    await eventually(scene.books, ({ holds }) => holds === 0)
  })

  test.each([20, 100])(
    'does not take a frame of %i MB: it says so, what was answered is paid and nothing stays held',
    async (megabytes) => {
      await channel()
      const client = await open()
      client.say({ type: 'response.create' })
      await client.frame('response.done')
      client.send('x'.repeat(megabytes * 1024 * 1024))
      expect(await client.end()).toEqual({ code: 1009, reason: 'A message may have at most 16 MB.' })
      const { userQuota } = await eventually(scene.books, ({ holds }) => holds === 0)
      expect(userQuota).toBe(startingQuota - price)
      expect(vendor.seen[0]?.frames).toHaveLength(1)
    },
  )

  test('counts the tokens of every answer, and ends when those of the minute are used up', async () => {
    await channel()
    const limits = { rpm: 10, tpm: 5000 }
    const token = await scene.user.call(api.tokens.create, { name: 'tpm', remain_quota: startingQuota, ...limits })
    const used = () => scene.user.call(api.tokens.get, { id: token.id })
    const client = await openSocket(address(), { headers: { authorization: `Bearer sk-${token.key}` } })
    for (const tpm_used of [2000, 4000]) {
      client.say({ type: 'response.create' })
      expect(await eventually(used, (now) => now.tpm_used === tpm_used)).toMatchObject({
        rpm_used: 1,
        parallel_used: 1,
      })
    }
    client.say({ type: 'response.create' })
    const { code, reason } = await client.end()
    expect([code, reason]).toEqual([1008, expect.stringContaining('rate_limit_exceeded')])
    await eventually(scene.books, ({ holds }) => holds === 0)
    expect(await used()).toMatchObject({ tpm_used: 6000, rpm_used: 1, parallel_used: 0 })
    expect((await handshake(address(), { authorization: `Bearer sk-${token.key}` })).status).toBe(429)
  })

  test('counts as one of the parallel requests while it runs', async () => {
    await channel()
    const token = await scene.user.call(api.tokens.create, {
      name: 'one at a time',
      remain_quota: startingQuota,
      parallel: 1,
    })
    const authorization = `Bearer sk-${token.key}`
    const client = await openSocket(address(), { headers: { authorization } })
    expect((await handshake(address(), { authorization })).status).toBe(429)
    client.say({ type: 'response.create' })
    await client.frame('response.done')
    expect((await handshake(address(), { authorization })).status).toBe(429)
    client.leave()
    await eventually(scene.books, ({ holds }) => holds === 0)
    const again = await openSocket(address(), { headers: { authorization } })
    again.leave()
    await eventually(scene.books, ({ holds }) => holds === 0)
  })
})
