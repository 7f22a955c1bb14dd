import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { type LiveServerMessage, Modality } from '@google/genai'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { eventually } from '#server/testing/eventually.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { sdkClients } from '#server/testing/sdk-clients.ts'
import { type SocketUpstream, startSocketUpstream } from '#server/testing/socket-upstream.ts'
import { startTlsFront, type TlsFront } from '#server/testing/tls-front.ts'

let scene: RelayScene
let vendor: SocketUpstream
let front: TlsFront
beforeAll(async () => {
  scene = await startRelayScene()
  front = await startTlsFront(Number(new URL(scene.app.url).port))
  vendor = startSocketUpstream((socket, frame) => {
    const said = frame === null ? {} : JSON.parse(String(frame))
    if (frame === null && socket.data.url.pathname === '/v1/realtime')
      socket.send(JSON.stringify({ type: 'session.created', session: { type: 'realtime' } }))
    if (said.type === 'response.create') {
      const usage = { total_tokens: 15, input_tokens: 10, output_tokens: 5 }
      socket.send(JSON.stringify({ type: 'response.created', response: { id: 'r' } }))
      socket.send(JSON.stringify({ type: 'response.output_text.delta', response_id: 'r', delta: 'hello' }))
      socket.send(JSON.stringify({ type: 'response.done', response: { id: 'r', status: 'completed', usage } }))
    }
    if (said.setup) socket.send(Buffer.from('{"setupComplete":{}}'))
    if (said.clientContent) {
      const modelTurn = { role: 'model', parts: [{ text: 'hello' }] }
      const usageMetadata = { promptTokenCount: 10, responseTokenCount: 5, totalTokenCount: 15 }
      socket.send(Buffer.from(JSON.stringify({ serverContent: { modelTurn } })))
      socket.send(Buffer.from(JSON.stringify({ serverContent: { turnComplete: true }, usageMetadata })))
    }
  })
})
afterEach(() => scene.clear())
afterAll(async () => {
  front.stop()
  await vendor.stop()
  await scene.stop()
})

/** The client insists on an encrypted address, for which tests have a certificate nobody knows. */
const trusting = { tls: { rejectUnauthorized: false } } as object

test('a realtime session of OpenAI’s client', async () => {
  await scene.channel(() => new Response(), { models: 'gpt-realtime', base_url: vendor.url })
  const openai = new OpenAI({ apiKey: scene.key, baseURL: `https://127.0.0.1:${front.port}/v1` })
  const bill = await scene.bill(async () => {
    const session = new OpenAIRealtimeWS({ model: 'gpt-realtime', options: trusting }, openai)
    const done = Promise.withResolvers<unknown>()
    const texts: string[] = []
    session.on('error', done.reject)
    session.on('session.created', () => session.send({ type: 'response.create' }))
    session.on('response.output_text.delta', ({ delta }) => texts.push(delta))
    session.on('response.done', ({ response }) => done.resolve(response.usage))
    expect(await done.promise).toMatchObject({ input_tokens: 10, output_tokens: 5 })
    expect(texts).toEqual(['hello'])
    session.close()
  })
  // 10 × 2 + 5 × 8
  expect(bill).toMatchObject({ user: -60, requests: 1, holds: 0 })
})

test('a live session of Google’s client', async () => {
  const model = 'gemini-live-2.5-flash-preview'
  await scene.channel(() => new Response(), { type: 24, models: model, base_url: vendor.url })
  const { google } = sdkClients(scene.app.url, scene.key)
  const messages: LiveServerMessage[] = []
  const bill = await scene.bill(async () => {
    const session = await google.live.connect({
      model,
      config: { responseModalities: [Modality.TEXT] },
      callbacks: { onmessage: (message) => void messages.push(message) },
    })
    session.sendClientContent({ turns: 'hi', turnComplete: true })
    await eventually(
      () => messages.find(({ usageMetadata }) => usageMetadata),
      (found) => found !== undefined,
    )
    session.close()
  })
  expect(messages.map(({ text }) => text).join('')).toBe('hello')
  // ⌈10 × 0.15 + 5 × 1⌉
  expect(bill).toMatchObject({ user: -7, requests: 1, holds: 0 })
})
