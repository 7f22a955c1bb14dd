import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type RelayScene, startingQuota, startRelayScene } from '#server/testing/relay-scene.ts'
import { handshake, openSocket } from '#server/testing/socket-client.ts'
import { type SocketUpstream, startSocketUpstream, type VendorVoice } from '#server/testing/socket-upstream.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
let vendor: SocketUpstream
let voice: VendorVoice = () => {}
const model = 'gemini-live-2.5-flash-preview'

beforeAll(async () => {
  scene = await startRelayScene()
  vendor = startSocketUpstream((...said) => voice(...said))
})
afterEach(async () => {
  vendor.seen.length = 0
  await scene.root.call(api.users.update, { id: scene.userId, quota: startingQuota })
  await scene.clear()
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await vendor.stop()
  await scene.stop()
})

const path = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
const address = (key = scene.key) => `${scene.app.url}${path}?key=${key}`
const channel = (more: object = {}) =>
  scene.channel(() => new Response(), { type: 24, key: 'googles-key', models: model, base_url: vendor.url, ...more })
const setup = (more: object = {}) => ({ setup: { model: `models/${model}`, ...more } })

const usageMetadata = {
  promptTokenCount: 100,
  responseTokenCount: 50,
  totalTokenCount: 150,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 60 },
    { modality: 'AUDIO', tokenCount: 40 },
  ],
  responseTokensDetails: [
    { modality: 'AUDIO', tokenCount: 30 },
    { modality: 'TEXT', tokenCount: 20 },
  ],
}
/** ⌈60 × 0.15 + 40 × 1.5 + 20 × 1 + 30 × 6⌉ */
const price = 269
/** $0.035 a turn that searches. */
const search = 17_500

const answering: VendorVoice = (socket, frame) => {
  const said = frame === null ? {} : JSON.parse(String(frame))
  if (said.setup) socket.send(Buffer.from('{"setupComplete": {}}'))
  if (said.clientContent) {
    socket.send(Buffer.from(JSON.stringify({ serverContent: { modelTurn: { parts: [{ text: 'hello' }] } } })))
    socket.send(Buffer.from(JSON.stringify({ serverContent: { turnComplete: true }, usageMetadata })))
  }
}

const ask = { clientContent: { turns: [{ role: 'user', parts: [{ text: 'hi' }] }], turnComplete: true } }

describe('a live session', () => {
  test('passes frames as they are, binary ones too, and pays the usage of every turn', async () => {
    await channel()
    voice = answering
    const bill = await scene.bill(async () => {
      const client = await openSocket(address())
      const first = ` ${JSON.stringify(setup())}`
      client.send(first)
      await client.frame('setupComplete')
      expect(Buffer.isBuffer(client.frames[0])).toBe(true)
      client.send(Buffer.from(JSON.stringify(ask)) as Buffer<ArrayBuffer>)
      await client.frame('usageMetadata')
      client.say(ask)
      await eventually(
        () => client.frames.filter((frame) => String(frame).includes('usageMetadata')).length,
        (count) => count === 2,
      )
      expect(vendor.seen[0]?.frames[0]).toBe(first)
      expect(Buffer.isBuffer(vendor.seen[0]?.frames[1])).toBe(true)
      client.leave()
    })
    expect(vendor.seen[0]?.url.pathname).toBe(path)
    expect(vendor.seen[0]?.url.search).toBe('')
    expect(vendor.seen[0]?.headers.get('x-goog-api-key')).toBe('googles-key')
    expect(bill).toMatchObject({ user: -2 * price, requests: 2, holds: 0 })
    expect(bill.rows.map(({ quota, model_name: name }) => [quota, name])).toEqual([
      [price, model],
      [price, model],
    ])
  })

  test('whose vendor repeats a report pays it once', async () => {
    await channel()
    voice = (socket, frame) => {
      answering(socket, frame, 0)
      if (String(frame).includes('clientContent')) socket.send(JSON.stringify({ usageMetadata, late: true }))
    }
    const bill = await scene.bill(async () => {
      const client = await openSocket(address())
      client.say(setup())
      client.say(ask)
      await client.frame('late')
      client.leave()
      await client.end()
    })
    expect(bill.rows.map(({ quota }) => quota)).toEqual([price])
    expect(bill.user).toBe(-price)
  })

  test('without a valid key or any money is refused in the handshake', async () => {
    await channel()
    expect((await handshake(address('sk-nobody'))).status).toBe(401)
    await scene.root.call(api.users.update, { id: scene.userId, quota: 0 })
    expect((await handshake(address())).status).toBe(402)
    expect(vendor.seen).toHaveLength(0)
  })

  test.each([
    ['a model nobody carries', { setup: { model: 'models/gemini-9' } }, 'model_not_found'],
    ['no model', { setup: {} }, 'model'],
    ['no setup', ask, 'setup'],
    ['a handle of somebody else', setup({ sessionResumption: { handle: 'abc' } }), 'not known'],
  ])('is closed with a reason: %s', async (_, first, reason) => {
    await channel()
    const client = await openSocket(address())
    client.say(first)
    const closed = await client.end()
    expect(closed.code).toBe(1008)
    expect(closed.reason).toContain(reason)
    expect(vendor.seen).toHaveLength(0)
    expect((await scene.books()).holds).toBe(0)
  })

  test('left before its usage was reported is paid by estimation', async () => {
    await channel()
    const data = Buffer.alloc(48_000 * 4).toString('base64')
    voice = (socket, frame) => {
      const said = frame === null ? {} : JSON.parse(String(frame))
      if (!said.clientContent) return
      const part = { inlineData: { mimeType: 'audio/pcm;rate=24000', data } }
      socket.send(JSON.stringify({ serverContent: { modelTurn: { parts: [part] } } }))
    }
    const bill = await scene.bill(async () => {
      const client = await openSocket(address())
      client.say(setup())
      client.say(ask)
      await client.frame('inlineData')
      client.leave()
      await eventually(
        () => vendor.seen[0]?.closed ?? null,
        (closed) => closed !== null,
      )
    })
    // Four seconds are a hundred tokens.
    expect(bill.rows[0]).toMatchObject({ outcome: 'cut', completion_tokens: 100 })
    expect(-bill.user).toBeGreaterThanOrEqual(600)
  })

  test('goes on by a handle of one’s own, at the channel that gave it', async () => {
    const first = await channel()
    voice = (socket, frame) => {
      if (!String(frame).includes('setup')) return
      socket.send(JSON.stringify({ setupComplete: {} }))
      socket.send(JSON.stringify({ sessionResumptionUpdate: { newHandle: 'handle-1', resumable: true } }))
    }
    const client = await openSocket(address())
    client.say(setup({ sessionResumption: {} }))
    await client.frame('newHandle')
    client.leave()
    await channel({ key: 'another-key', priority: 9 })
    const again = await openSocket(address())
    again.say(setup({ sessionResumption: { handle: 'handle-1' } }))
    await again.frame('setupComplete')
    expect(vendor.seen[1]?.headers.get('x-goog-api-key')).toBe('googles-key')
    expect(first.id).toBeGreaterThan(0)
    again.leave()
    await eventually(scene.books, ({ holds }) => holds === 0)
  })

  test('that speaks of a file by its address is ended', async () => {
    await channel()
    voice = answering
    const client = await openSocket(address())
    client.say(setup())
    await client.frame('setupComplete')
    const parts = [{ fileData: { fileUri: 'files/of-others' } }]
    client.say({ clientContent: { turns: [{ role: 'user', parts }] } })
    expect((await client.end()).reason).toContain('not known')
    expect(vendor.seen[0]?.frames).toHaveLength(1)
    await eventually(scene.books, ({ holds }) => holds === 0)
  })

  test('cannot be set up a second time', async () => {
    await channel()
    voice = answering
    const client = await openSocket(address())
    client.say(setup())
    await client.frame('setupComplete')
    client.say({ setup: { model: 'models/another' } })
    expect((await client.end()).code).toBe(1008)
    await eventually(scene.books, ({ holds }) => holds === 0)
    expect(vendor.seen[0]?.frames).toHaveLength(1)
  })

  test.each([
    ['the model’s own name', {}],
    ['a name that its operator made up', { model_mapping: JSON.stringify({ [model]: 'talk-eu' }) }],
    ['a name that its operator made up for clients', { models: 'talk', model_mapping: `{"talk": "${model}"}` }],
  ])('pays a search under %s', async (_, more: { models?: string; model_mapping?: string }) => {
    await channel(more)
    const groundingMetadata = { webSearchQueries: ['the weather'] }
    voice = (socket, frame) => {
      if (!String(frame).includes('clientContent')) return
      socket.send(JSON.stringify({ serverContent: { groundingMetadata, turnComplete: true }, usageMetadata }))
    }
    const client = await openSocket(address())
    client.say({ setup: { model: `models/${more.models ?? model}`, tools: [{ googleSearch: {} }] } })
    client.say(ask)
    await client.frame('usageMetadata')
    client.leave()
    const { userQuota } = await eventually(scene.books, ({ holds }) => holds === 0)
    expect(startingQuota - userQuota).toBe(price + search)
  })

  test('is mapped to the vendor’s name of its model', async () => {
    await channel({ models: 'talk', model_mapping: `{"talk": "${model}"}` })
    voice = answering
    const client = await openSocket(address())
    client.say({ setup: { model: 'models/talk', tools: [] } })
    await client.frame('setupComplete')
    expect(JSON.parse(String(vendor.seen[0]?.frames[0]))).toEqual({ setup: { model: `models/${model}`, tools: [] } })
    client.leave()
    await eventually(scene.books, ({ holds }) => holds === 0)
  })
})
