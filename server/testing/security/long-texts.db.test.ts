import { afterAll, beforeAll, expect, test } from 'bun:test'
import { FetchRefused, guardedFetch } from '#server/lib/network/guarded-fetch.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startingQuota, startRelayScene } from '#server/testing/relay-scene.ts'

/** Texts that some way of reading goes over again from each of their signs, so that one request kept everybody waiting. */
let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 20 * startingQuota, tokenQuota: 20 * startingQuota })
})
afterAll(() => scene.stop())

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

test('a field of a form whose name is a row of brackets', async () => {
  await scene.channel(chatAnswer('hello', { prompt_tokens: 1, completion_tokens: 1 }), { models: 'whisper-1' })
  const name = `${'['.repeat(60_000)}\na`
  const body = `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nv\r\n--x--\r\n`
  const headers = { authorization: `Bearer ${scene.key}`, 'content-type': 'multipart/form-data; boundary=x' }
  const ask = () => fetch(`${scene.app.url}/v1/audio/transcriptions`, { method: 'POST', headers, body })
  expect(await secondsOf(async () => expect((await ask()).status).toBe(400))).toBeLessThan(2)
})

test('a name of a machine that is a row of dots', async () => {
  const fetching = () => guardedFetch(`http://a${'.'.repeat(60_000)}b/x.png`, undefined, { resolve: async () => [] })
  const refused = async () => expect(await fetching().catch((error) => error)).toBeInstanceOf(FetchRefused)
  expect(await secondsOf(refused)).toBeLessThan(2)
})

test('a prompt that is a list of names like those of files', async () => {
  const model = 'veo-3.1-generate-preview'
  const gemini = { type: 24, key: 'googles-key', models: model }
  await scene.channel(() => Response.json({ name: `models/${model}/operations/one` }), gemini)
  const prompt = Array.from({ length: 60_000 }, (_, at) => ` files/${at.toString(36)}`).join('')
  const ask = () =>
    fetch(`${scene.app.url}/v1beta/models/${model}:predictLongRunning`, {
      method: 'POST',
      headers: { 'x-goog-api-key': scene.key },
      body: JSON.stringify({ instances: [{ prompt }] }),
    })
  expect(await secondsOf(async () => expect((await ask()).status).toBe(200))).toBeLessThan(2)
})

test('a tool that is a choice between objects of many names', async () => {
  await scene.clear()
  await scene.channel(() => Response.json({ error: { message: 'no' } }, { status: 400 }), {
    type: 14,
    models: 'gpt-4o',
  })
  const one = { type: 'object', properties: {}, required: Array.from({ length: 30_000 }, (_, at) => `name${at}`) }
  const tools = [{ type: 'function', function: { name: 'f', parameters: { anyOf: [one, one] } } }]
  const ask = () =>
    scene.post('/v1/chat/completions', { model: 'gpt-4o', messages: [{ role: 'user', content: 'x' }], tools })
  expect(await secondsOf(async () => (await ask()).text())).toBeLessThan(2)
})
