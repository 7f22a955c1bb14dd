import { afterAll, beforeAll, expect, test } from 'bun:test'
import { signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { statusApi } from '#shared/api/status.ts'
import { channelTypes } from '#shared/channel-types.ts'

let app: TestApp
let releases: () => Promise<Response>

beforeAll(async () => {
  const reach = Object.assign((() => releases()) as unknown as typeof fetch, { preconnect: fetch.preconnect })
  app = await startTestApp({ fetch: reach, env: { GITHUB_URL: 'https://git.example/' } })
})
afterAll(() => app.stop())

test('the public status needs no login and carries every field', async () => {
  const answer = await app.client().raw(statusApi.status, {})
  expect(answer).toMatchObject({ status: 200, success: true, message: '' })
  expect(answer.data).toMatchObject({
    system_name: 'Switchyard',
    logo: '',
    footer_html: '',
    quota_per_unit: 500_000,
    display_in_currency: true,
    password_login: true,
    email_verification: false,
    github_oauth: false,
    github_authorize_url: 'https://git.example/login/oauth/authorize',
    version: app.ctx.version,
    start_time: app.ctx.startedAt,
  })
})

test.each(['notice', 'about', 'home'] as const)('%s is public and empty at first', async (name) => {
  expect(await app.client().call(statusApi[name], {})).toBe('')
})

test('models come by channel type, for users only', async () => {
  const user = await signIn(app)
  const models = await user.call(statusApi.models, {})
  expect(Object.keys(models)).toHaveLength(channelTypes.length)
  expect(models['1']).toContain('gpt-4o')
  expect((await app.client().raw(statusApi.models, {})).status).toBe(401)
})

test('group names are sorted and for administrators', async () => {
  const admin = await signIn(app, { role: 'admin' })
  expect(await admin.call(statusApi.groups, {})).toEqual(['default', 'svip', 'vip'])
  expect((await (await signIn(app)).raw(statusApi.groups, {})).status).toBe(403)
})

test('the latest release is read by the server', async () => {
  const admin = await signIn(app, { role: 'admin' })
  releases = async () => Response.json({ tag_name: 'v9', body: null, html_url: 'https://git.example/v9', draft: false })
  expect(await admin.call(statusApi.release, {})).toEqual({
    tag_name: 'v9',
    body: '',
    html_url: 'https://git.example/v9',
  })
})

test.each([
  ['an error', async () => new Response('no', { status: 500 })],
  ['no JSON', async () => new Response('<html>')],
  ['nothing', () => Promise.reject(new Error('unreachable'))],
])('a releases address that answers %s is reported without details', async (_, answer) => {
  const admin = await signIn(app, { role: 'admin' })
  releases = answer
  expect(await admin.raw(statusApi.release, {})).toMatchObject({
    status: 200,
    success: false,
    message: 'The release information could not be fetched',
  })
})
