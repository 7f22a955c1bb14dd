import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { chatAnswer, startFakeUpstream } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
  await scene.channel(chatAnswer('hello', { prompt_tokens: 5, completion_tokens: 10 }))
  expect((await scene.chat()).status).toBe(200)
})
afterAll(() => scene.stop())

const asks = (authorization: string) => scene.chat({}, { headers: { authorization } })

test('only the whole key opens, however much of it is right', async () => {
  const { key } = scene
  const almost = [
    key.slice(0, -1),
    `${key}x`,
    key.slice(0, 20),
    `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`,
    key.toUpperCase(),
  ]
  for (const wrong of almost) expect((await asks(`Bearer ${wrong}`)).status).toBe(401)
  expect((await asks(`Bearer ${key}`)).status).toBe(200)
})

test.each(["' or '1'='1", "sk-' or 1=1 --", 'sk-%', 'sk-_', '*', 'null', 'undefined', '[object Object]', 'sk-'])(
  'the key %j is no key',
  async (key) => {
    expect((await asks(`Bearer ${key}`)).status).toBe(401)
  },
)

test('a key may not choose the channel unless it belongs to an administrator', async () => {
  expect((await asks(`Bearer ${scene.key}-1`)).status).toBe(403)
})

test('a key does not open the console, and a session does not open the relay', async () => {
  const byKey = scene.app.client({ authorization: `Bearer ${scene.key}` })
  expect((await byKey.raw(api.account.self, {})).success).toBe(false)
  const bySession = await scene.user.fetch('/v1/models')
  expect(bySession.status).toBe(401)
})

test('an upstream that redirects does not get the key sent elsewhere', async () => {
  const elsewhere = startFakeUpstream(chatAnswer('stolen', null))
  await scene.clear()
  await scene.channel(() => Response.redirect(`${elsewhere.url}/v1/chat/completions`, 307))
  expect((await scene.chat()).status).toBeGreaterThanOrEqual(500)
  expect(elsewhere.seen).toHaveLength(0)
  await elsewhere.stop()
})

test('a picture at an address of the inner network is not fetched and costs nothing', async () => {
  const inner = startFakeUpstream(() => new Response('secret'))
  await scene.clear()
  const gemini = await scene.channel(chatAnswer('never', null), { type: 24 })
  const content = [{ type: 'image_url', image_url: { url: `${inner.url}/latest/meta-data` } }]
  const bill = await scene.bill(async () => {
    expect((await scene.chat({ messages: [{ role: 'user', content }] })).status).toBe(400)
  })
  expect(bill).toMatchObject({ user: 0, holds: 0 })
  expect(inner.seen).toHaveLength(0)
  expect(gemini.seen).toHaveLength(0)
  await inner.stop()
})

test('a login costs the same work whether the name is known or not', async () => {
  const verify = spyOn(Bun.password, 'verify')
  const work = async (username: string) => {
    verify.mockClear()
    await scene.app.client().raw(api.auth.login, { username, password: 'wrong password' })
    return verify.mock.calls.length
  }
  const known = await work('ann')
  expect(known).toBe(1)
  expect(await work('nobody at all')).toBe(known)
  verify.mockRestore()
})
