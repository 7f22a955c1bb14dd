import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type FakeUpstream, startFakeUpstream } from '#server/testing/fake-upstream.ts'
import { type SpawnedServer, spawnServer } from '#server/testing/spawned-server.ts'
import { createClient, type TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

const secrets = {
  rootPassword: 'Root-pass-8813',
  wrongPassword: 'Wrong-pass-4417',
  newPassword: 'Newer-pass-2290',
  channelKey: 'sk-channel-5f0e2c7a91d34b',
  optionSecret: 'smtp-token-77ab31c09',
  secretKey: 'the-key-of-all-keys-6612',
  metricsToken: 'metrics-token-90127',
  wrongKey: 'sk-mistyped-3390aa71bc',
  redemption: 'guessed-code-11aa22bb33',
}

let server: SpawnedServer
let upstream: FakeUpstream
/** Everything users and visitors were shown. */
const shown: string[] = []
/** Made by the server while it runs. */
const made: Record<string, string> = {}

/** An upstream that repeats in its errors what it was sent and where it lives. */
const indiscreet: Parameters<typeof startFakeUpstream>[0] = ({ headers, url }) =>
  Response.json(
    {
      error: {
        message: `Incorrect API key ${headers.get('authorization')} at ${url}`,
        type: 'x',
        code: 'invalid_api_key',
      },
    },
    { status: 401 },
  )

beforeAll(async () => {
  upstream = startFakeUpstream(indiscreet)
  server = await spawnServer({
    LOG_LEVEL: 'debug',
    INITIAL_ROOT_PASSWORD: secrets.rootPassword,
    SECRET_KEY: secrets.secretKey,
    METRICS_TOKEN: secrets.metricsToken,
  })
  const root = createClient(server.url)
  await root.call(api.auth.login, { username: 'root', password: secrets.rootPassword })
  await operate(root)
  await misuse(root)
  server.kill('SIGTERM')
  await server.exited
})
afterAll(() => upstream.stop())

const collect = async (answer: Promise<Response>) => {
  shown.push(await (await answer).text())
}

/** What an operator does: things that work, with secrets in them. */
async function operate(root: TestClient): Promise<void> {
  await root.call(api.options.update, { key: 'ModelRatio', value: '{"m": 1, "gone": 1, "broken": 1}' })
  await root.call(api.options.update, { key: 'SMTPToken', value: secrets.optionSecret })
  const closed = startFakeUpstream()
  const channels = [
    { name: 'indiscreet', models: 'm', base_url: upstream.url },
    { name: 'gone', models: 'gone', base_url: closed.url },
    { name: 'broken', models: 'broken', base_url: closed.url, proxy: 'http://user:hunter2pass@127.0.0.1:1' },
  ]
  for (const channel of channels) await root.call(api.channels.create, { ...channel, type: 1, key: secrets.channelKey })
  await closed.stop()
  const token = await root.call(api.tokens.create, { name: 't', unlimited_quota: true })
  made.tokenKey = token.key
  made.accessToken = await root.call(api.account.accessToken, {})
  made.session = root.cookie.split('=')[1] ?? ''
}

/** What goes wrong, on every door. */
async function misuse(root: TestClient): Promise<void> {
  const visitor = createClient(server.url)
  const post = (path: string, body: unknown, headers: Record<string, string> = {}, client = visitor) =>
    collect(
      client.fetch(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers }),
    )
  const key = { authorization: `Bearer sk-${made.tokenKey}` }
  const chat = (model: string) => ({ model, messages: [{ role: 'user', content: 'hi' }] })
  for (const model of ['m', 'gone', 'broken', 'unknown']) await post('/v1/chat/completions', chat(model), key)
  await post('/v1/chat/completions', '{"model":', key)
  await post('/v1/messages', chat('m'), { 'x-api-key': `sk-${made.tokenKey}` })
  await post(`/v1beta/models/m:generateContent?key=sk-${made.tokenKey}`, { contents: [] })
  await post('/v1/chat/completions', chat('m'), { authorization: `Bearer ${secrets.wrongKey}` })
  await post('/api/user/login', { username: 'root', password: secrets.wrongPassword })
  await post('/api/user/login', `{"username":"root","password":"${secrets.wrongPassword}"`)
  await post('/api/user/register', { username: 'x', password: secrets.newPassword, password2: '' })
  await post('/api/user/topup', { key: secrets.redemption }, {}, root)
  await collect(visitor.fetch('/api/user/self', { headers: { authorization: secrets.wrongKey } }))
  await collect(visitor.fetch('/api/user/self', { headers: { cookie: `session=${secrets.wrongKey}` } }))
  await collect(visitor.fetch('/metrics', { headers: { authorization: `Bearer ${secrets.wrongKey}` } }))
  await collect(root.fetch('/api/channel/test/1'))
  await collect(root.fetch('/api/channel/'))
  await collect(root.fetch('/api/option/'))
  await collect(root.fetch('/api/log/'))
}

test('the log of a node on its most talkative level holds no secret', () => {
  const log = server.output()
  expect(log).toContain('a channel failed')
  expect(log).toContain('"message":"relayed"')
  for (const [name, secret] of Object.entries({ ...secrets, ...made, urlPassword: 'hunter2pass' })) {
    expect([name, log.includes(secret)]).toEqual([name, false])
  }
})

test('no answer holds the secret of a channel, of an option or of the server', () => {
  expect(shown.length).toBeGreaterThan(15)
  const { channelKey, optionSecret, secretKey, metricsToken, rootPassword } = secrets
  for (const secret of [channelKey, optionSecret, secretKey, metricsToken, rootPassword, made.accessToken ?? '']) {
    expect(shown.filter((text) => text.includes(secret))).toEqual([])
  }
})

test('no answer of the relay says where its upstreams are', () => {
  const { host } = new URL(upstream.url)
  const ofRelay = shown.slice(0, 8)
  expect(ofRelay.every((text) => text.includes('error'))).toBe(true)
  expect(ofRelay.filter((text) => text.includes(host) || text.includes('127.0.0.1'))).toEqual([])
})
