import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { notifyRoot } from '#server/mail/notify-root.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
/** What somebody was sent who should be sent nothing. */
let stolen: string[] = []

const stranger = Bun.serve({
  port: 0,
  async fetch(request) {
    stolen.push(`${request.url} ${request.headers.get('authorization') ?? ''} ${await request.text()}`)
    return Response.json({ success: true, access_token: 'theirs', data: 'wechat-1', expires_in: 3600 }, { status: 401 })
  },
})
/** Leads whoever asks to somebody else, with all that was sent. */
const moved = Bun.serve({
  port: 0,
  fetch: ({ url }) => Response.redirect(`http://127.0.0.1:${stranger.port}${new URL(url).pathname}`, 307),
})
const address = `http://127.0.0.1:${moved.port}`

beforeAll(async () => {
  scene = await startRelayScene({
    env: { GITHUB_URL: address, GITHUB_API_URL: address, TURNSTILE_URL: address },
  })
})
afterAll(async () => {
  await scene.stop()
  await Promise.all([stranger.stop(true), moved.stop(true)])
})
beforeEach(() => {
  stolen = []
})

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const account = { client_email: 'relay@p1.iam.gserviceaccount.com', private_key: privateKey, project_id: 'p1' }

test.each([
  ['a service account of Google', { type: 33, key: JSON.stringify(account), models: 'gpt-4o' }],
  ['a key of Baidu', { type: 15, key: 'id|secret', models: 'gpt-4o' }],
  ['a signature of Spark', { type: 18, key: 'app|secret|key', models: 'gpt-4o' }],
  ['a plain key', { type: 1, key: 'plain', models: 'gpt-4o' }],
])('%s is not sent on to where a vendor redirects', async (_, channel) => {
  await scene.channel(() => new Response('never asked'), { ...channel, base_url: address })
  expect((await scene.chat()).status).toBeGreaterThanOrEqual(400)
  expect(stolen).toEqual([])
  await scene.clear()
})

test('the secrets of the console go nowhere else either', async () => {
  const { app } = scene
  await setOptions(app, {
    GitHubOAuthEnabled: 'true',
    GitHubClientId: 'client',
    GitHubClientSecret: 'github-secret',
    WeChatAuthEnabled: 'true',
    WeChatServerAddress: address,
    WeChatServerToken: 'wechat-secret',
    MessagePusherAddress: address,
    MessagePusherToken: 'push-secret',
    TurnstileCheckEnabled: 'true',
    TurnstileSecretKey: 'turnstile-secret',
  })
  expect(await app.client().raw(api.auth.wechat, { code: 'any' })).toMatchObject({ code: 'wechat.unreachable' })
  const client = app.client()
  const state = await client.call(api.auth.oauthState, {})
  expect(await client.raw(api.auth.github, { code: 'any', state })).toMatchObject({ code: 'github.unreachable' })
  const draft = { username: 'human', password: 'a long password', turnstile: 'solved' }
  expect(await app.client().raw(api.auth.register, draft)).toMatchObject({ code: 'turnstile.unreachable' })
  expect(await notifyRoot(app.ctx, { kind: 'channel_slow', title: 'a', content: 'b' })).toBe(false)
  expect(stolen).toEqual([])
})
