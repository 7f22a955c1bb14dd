import { afterAll, afterEach, beforeAll, expect, type Mock, spyOn, test } from 'bun:test'
import { errorAnswer } from '#server/testing/fake-upstream.ts'
import { clearFaultScene, startFaultScene, stopFaultScene } from '#server/testing/fault-scene.ts'
import { jsonAnswer } from '#server/testing/operation-charges.ts'
import { type RelayScene, startingQuota } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
let host: Mock<typeof fetch>
/** How the host of files answers, and how often it was asked. */
let serve: () => Promise<Response> | Response
let asked = 0

const address = 'http://93.184.216.34/cat.png'
const png = Buffer.from('89504e470d0a1a0a', 'hex')
const answer = jsonAnswer({
  candidates: [{ content: { role: 'model', parts: [{ text: 'a cat' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
})
const busy = errorAnswer(503, { message: 'overloaded' })

beforeAll(async () => {
  scene = await startFaultScene()
  const real = fetch
  const answering = async (input: string | URL | Request, init?: RequestInit) => {
    if (!String(input).startsWith('http://93.184.216.34/')) return real(input, init)
    asked += 1
    return serve()
  }
  host = spyOn(globalThis, 'fetch').mockImplementation(Object.assign(answering, real))
})
afterEach(async () => {
  asked = 0
  await clearFaultScene(scene)
})
afterAll(async () => {
  host.mockRestore()
  await stopFaultScene(scene)
})

const look = (init: RequestInit = {}) =>
  scene.chat({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: address } }] }] }, init)

test('a file by address is fetched once, however many channels are tried', async () => {
  serve = () => new Response(png)
  await scene.option('RetryTimes', 2)
  const tried = [
    await scene.channel(busy, { type: 24, priority: 9 }),
    await scene.channel(busy, { type: 24, priority: 8 }),
    await scene.channel(answer, { type: 24 }),
  ]
  expect((await look()).status).toBe(200)
  expect(tried.map(({ seen }) => seen.length)).toEqual([1, 1, 1])
  expect(new Set(tried.map(({ seen }) => seen[0]?.raw)).size).toBe(1)
  expect(asked).toBe(1)
  await look()
  expect(asked).toBe(2)
})

test('no channel is asked when the client leaves while a file is fetched', async () => {
  const channel = await scene.channel(answer, { type: 24 })
  const leaving = new AbortController()
  const left = Promise.withResolvers<void>()
  serve = async () => {
    leaving.abort()
    await left.promise
    return new Response(png)
  }
  const bill = await scene.bill(async () => {
    await look({ signal: leaving.signal }).catch(() => null)
    await Bun.sleep(50)
    left.resolve()
  })
  expect(bill.user).toBe(0)
  expect(channel.seen).toHaveLength(0)
})

test('nothing is fetched for who has nothing, though the model is free', async () => {
  serve = () => new Response(png)
  await scene.channel(answer, { type: 24 })
  await scene.option('ModelRatio', '{"gpt-4o":0}')
  await scene.root.call(api.users.update, { id: scene.userId, quota: 0 })
  expect((await look()).status).toBe(402)
  expect(asked).toBe(0)
  expect((await scene.chat()).status).toBe(200)
  await scene.root.call(api.users.update, { id: scene.userId, quota: 1 })
  expect((await look()).status).toBe(200)
  expect(asked).toBe(1)
  await scene.root.call(api.users.update, { id: scene.userId, quota: startingQuota })
})

test('nothing is fetched for a count, which is ours where the vendor would need the file', async () => {
  const channel = await scene.channel(answer, { type: 24 })
  const content = [
    { type: 'image', source: { type: 'url', url: address } },
    { type: 'text', text: 'what is it?' },
  ]
  const body = { model: 'gpt-4o', messages: [{ role: 'user', content }] }
  const counted = await scene.post('/v1/messages/count_tokens', body)
  expect(await counted.json()).toEqual({ input_tokens: expect.any(Number) })
  expect(asked).toBe(0)
  expect(channel.seen).toHaveLength(0)
})
