import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { handshake, openSocket } from '#server/testing/socket-client.ts'
import { type SocketUpstream, startSocketUpstream, type VendorVoice } from '#server/testing/socket-upstream.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
let vendor: SocketUpstream
let voice: VendorVoice = () => {}
beforeAll(async () => {
  scene = await startRelayScene({ env: { CLIENT_IDLE_TIMEOUT: '60' } })
  vendor = startSocketUpstream((...said) => voice(...said))
})
afterEach(async () => {
  scene.app.time.now = null
  vendor.seen.length = 0
  vendor.refuse(null)
  await scene.clear()
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await vendor.stop()
  await scene.stop()
})

const created = JSON.stringify({ type: 'session.created', session: { type: 'realtime', model: 'gpt-realtime' } })

/** Input: 60 text and 40 audio, of which 20 text and 10 audio are cached. Output: 30 text and 50 audio. */
const usage = {
  total_tokens: 180,
  input_tokens: 100,
  output_tokens: 80,
  input_token_details: {
    text_tokens: 60,
    audio_tokens: 40,
    cached_tokens: 30,
    cached_tokens_details: { text_tokens: 20, audio_tokens: 10 },
  },
  output_token_details: { text_tokens: 30, audio_tokens: 50 },
}
/** 40 × 2 + 30 × 16 + 30 × 0.2 + 30 × 8 + 50 × 32 */
const price = 2406

const answering =
  (report: object | null = usage): VendorVoice =>
  (socket, frame) => {
    if (frame === null) return void socket.send(created)
    const { type } = JSON.parse(String(frame))
    if (type !== 'response.create') return
    const id = `resp_${crypto.randomUUID()}`
    socket.send(JSON.stringify({ type: 'response.created', response: { id } }))
    socket.send(JSON.stringify({ type: 'response.output_text.delta', response_id: id, delta: 'hello' }))
    socket.send(JSON.stringify({ type: 'response.done', response: { id, status: 'completed', usage: report } }))
  }

const channel = (more: object = {}) =>
  scene.channel(() => new Response(), { models: 'gpt-realtime', base_url: vendor.url, ...more })

const address = (query = '?model=gpt-realtime') => `${scene.app.url}/v1/realtime${query}`
const open = (query?: string) => openSocket(address(query), { headers: { authorization: `Bearer ${scene.key}` } })

const spentBy = async (work: () => Promise<unknown>) => scene.bill(work)

describe('a realtime session', () => {
  test('passes frames as they are and pays every report, each with a row of its own', async () => {
    await channel({ key: 'the-vendors-key' })
    voice = answering()
    const bill = await spentBy(async () => {
      const client = await open('?model=gpt-realtime&intent=x')
      const odd = '{ "type" : "response.create" ,"event_id":"é" }'
      client.send(odd)
      await client.frame('response.done')
      expect((await scene.books()).rows[0]).toMatchObject({ quota: price, model_name: 'gpt-realtime' })
      client.send(odd)
      await eventually(
        () => client.frames.filter((text) => String(text).includes('response.done')).length,
        (count) => count === 2,
      )
      expect(client.frames[0]).toBe(created)
      expect(vendor.seen[0]?.frames).toEqual([odd, odd])
      client.leave()
    })
    expect(vendor.seen[0]?.headers.get('authorization')).toBe('Bearer the-vendors-key')
    expect(vendor.seen[0]?.url.pathname + (vendor.seen[0]?.url.search ?? '')).toBe(
      '/v1/realtime?model=gpt-realtime&intent=x',
    )
    expect(bill).toMatchObject({ user: -2 * price, token: -2 * price, requests: 2, channels: 2 * price, holds: 0 })
    expect(bill.rows.map(({ quota, outcome, prompt_tokens: asked }) => [quota, outcome, asked])).toEqual([
      [price, 'done', 100],
      [price, 'done', 100],
    ])
  })

  test('asks for the model that was paid for, whatever else the address says', async () => {
    await channel()
    voice = answering()
    const hostile = 'Model=dear&MODEL=dear&model[]=dear&%20model=dear&Deployment=dear&deployment=dear&model=dear'
    const client = await open(`?model=gpt-realtime&${hostile}&api-version=../x&intent=x`)
    expect(vendor.seen[0]?.url.search).toBe('?model=gpt-realtime&intent=x')
    expect(vendor.seen[0]?.url.pathname).toBe('/v1/realtime')
    client.leave()
    await eventually(scene.books, ({ holds }) => holds === 0)
  })

  test('takes the key from a subprotocol, a header of Azure or the query, and says none of it back', async () => {
    await channel()
    voice = answering()
    const protocols = ['realtime', `openai-insecure-api-key.${scene.key}`, 'openai-beta.realtime-v1']
    const client = await openSocket(address(), { protocols })
    expect(client.protocol).toBe('realtime')
    await client.frame('session.created')
    expect(vendor.seen[0]?.headers.get('openai-beta')).toBe('realtime=v1')
    client.leave()
    const other = await openSocket(address(), { headers: { 'api-key': scene.key } })
    other.leave()
    expect(JSON.stringify(vendor.seen.map(({ headers, url }) => [...headers, url.href]))).not.toContain(
      scene.key.slice(3),
    )
  })

  test.each([
    ['401', 'sk-nobody', '?model=gpt-realtime', 401],
    ['a model nobody carries', '', '?model=gpt-realtime-mini', 404],
    ['no model', '', '', 400],
  ])('is refused in the handshake: %s', async (_, key, query, status) => {
    await channel()
    const answer = await handshake(address(query), { authorization: `Bearer ${key || scene.key}` })
    expect(answer.status).toBe(status)
    expect((await answer.json()) as object).toHaveProperty('error.message')
    expect(vendor.seen).toHaveLength(0)
  })

  test('without money is 402, of a model without a price or not allowed 403, without a socket 426', async () => {
    await channel({ models: 'gpt-realtime,unpriced' })
    const refused = async (query: string, key = scene.key) =>
      (await handshake(address(query), { authorization: `Bearer ${key}` })).status
    expect(await refused('?model=unpriced')).toBe(403)
    const poor = await scene.user.call(api.tokens.create, { name: 'poor', remain_quota: 1 })
    expect(await refused('?model=gpt-realtime', `sk-${poor.key}`)).toBe(402)
    const other = await scene.user.call(api.tokens.create, { name: 'other', remain_quota: 100_000, models: 'gpt-4o' })
    expect(await refused('?model=gpt-realtime', `sk-${other.key}`)).toBe(403)
    const plain = await fetch(address(), { headers: { authorization: `Bearer ${scene.key}` } })
    expect(plain.status).toBe(426)
    expect(vendor.seen).toHaveLength(0)
  })

  test('a vendor that refuses, or is not there, is 502 and free', async () => {
    await channel()
    vendor.refuse(() => Response.json({ error: { message: 'bad key upstream-key' } }, { status: 401 }))
    const bill = await spentBy(async () =>
      expect((await handshake(address(), { authorization: `Bearer ${scene.key}` })).status).toBe(502),
    )
    expect(bill).toMatchObject({ user: 0, requests: 0, holds: 0 })
    expect(bill.rows[0]).toMatchObject({ quota: 0, outcome: 'failed' })
  })

  test('left in the middle of an answer is paid by estimation, and the vendor is asked to stop', async () => {
    await channel()
    const sound = Buffer.alloc(48_000 * 2).toString('base64')
    voice = (socket, frame) => {
      if (frame === null) return
      if (!String(frame).includes('response.create')) return
      socket.send(JSON.stringify({ type: 'response.created', response: { id: 'r1' } }))
      socket.send(JSON.stringify({ type: 'response.output_audio.delta', response_id: 'r1', delta: sound }))
    }
    const bill = await spentBy(async () => {
      const client = await open()
      client.say({ type: 'response.create' })
      await client.frame('audio.delta')
      client.leave()
      await eventually(
        () => vendor.seen[0]?.closed ?? null,
        (closed) => closed !== null,
      )
    })
    expect(vendor.seen[0]?.frames.map(String)).toContain('{"type":"response.cancel"}')
    // Two seconds are forty tokens.
    expect(bill.rows[0]).toMatchObject({ outcome: 'cut', completion_tokens: 40 })
    expect(bill.user).toBe(-40 * 32)
  })

  test('left in the middle, with a report that still comes, is paid as reported', async () => {
    await channel()
    voice = (socket, frame) => {
      if (String(frame).includes('response.create')) {
        socket.send(JSON.stringify({ type: 'response.created', response: { id: 'r1' } }))
        socket.send(JSON.stringify({ type: 'response.output_text.delta', response_id: 'r1', delta: 'hi' }))
      }
      if (String(frame).includes('response.cancel'))
        socket.send(JSON.stringify({ type: 'response.done', response: { id: 'r1', status: 'cancelled', usage } }))
    }
    const bill = await spentBy(async () => {
      const client = await open()
      client.say({ type: 'response.create' })
      await client.frame('text.delta')
      client.leave()
      await eventually(
        () => vendor.seen[0]?.closed ?? null,
        (closed) => closed !== null,
      )
    })
    expect(bill.user).toBe(-price)
  })

  test('a vendor that closes without a report is paid by what was seen of it', async () => {
    await channel()
    voice = (socket, frame) => {
      if (!String(frame).includes('response.create')) return
      socket.send(JSON.stringify({ type: 'response.created', response: { id: 'r1' } }))
      socket.send(JSON.stringify({ type: 'response.output_text.delta', response_id: 'r1', delta: 'x'.repeat(400) }))
      socket.close(4001, 'the vendor is tired')
    }
    const bill = await spentBy(async () => {
      const client = await open()
      client.say({ type: 'response.create' })
      expect(await client.end()).toEqual({ code: 4001, reason: 'the vendor is tired' })
    })
    expect(bill.rows[0]).toMatchObject({ outcome: 'failed', completion_tokens: 100, quota: 800 })
    expect(bill.user).toBe(-800)
  })

  test('a vendor that breaks off before it has answered anything is not paid', async () => {
    await channel()
    voice = (socket, frame) => {
      if (!String(frame).includes('response.create')) return
      socket.send(JSON.stringify({ type: 'response.created', response: { id: 'r1' } }))
      socket.close(1011, 'broken')
    }
    const bill = await spentBy(async () => {
      const client = await open()
      client.say({ type: 'conversation.item.create', item: { content: [{ type: 'input_text', text: 'a question' }] } })
      client.say({ type: 'response.create' })
      await client.end()
    })
    expect(bill).toMatchObject({ user: 0, holds: 0 })
    expect(bill.rows[0]).toMatchObject({ quota: 0, outcome: 'failed' })
  })

  test('of a node that stops ends after its answer', async () => {
    await channel()
    voice = (socket, frame) => {
      const said = String(frame)
      if (said.includes('response.create'))
        socket.send(JSON.stringify({ type: 'response.created', response: { id: 'r1' } }))
      if (said.includes('commit')) socket.send(JSON.stringify({ type: 'response.done', response: { id: 'r1', usage } }))
    }
    const bill = await spentBy(async () => {
      const quiet = await open()
      const busy = await open()
      busy.say({ type: 'response.create' })
      await busy.frame('response.created')
      scene.app.leave()
      expect(await quiet.end()).toMatchObject({ code: 1001 })
      expect(busy.closed()).toBeNull()
      busy.say({ type: 'input_audio_buffer.commit' })
      await busy.frame('response.done')
      expect((await busy.end()).code).toBe(1001)
    })
    expect(bill).toMatchObject({ user: -price, holds: 0 })
  })

  test('whoever opens it and says nothing pays nothing', async () => {
    await channel()
    voice = answering()
    const bill = await spentBy(async () => (await open()).leave())
    expect(bill).toMatchObject({ user: 0, holds: 0 })
    expect(bill.rows[0]).toMatchObject({ quota: 0, outcome: 'cut' })
  })
})
