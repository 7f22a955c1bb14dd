import { afterAll, beforeAll, expect, test } from 'bun:test'
import { revokeAccess } from '#server/http/session.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
/** What happens while the other service thinks about its answer. */
let meanwhile: () => Promise<void> = async () => {}

const outside = Bun.serve({
  port: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/login/oauth/access_token') return Response.json({ access_token: 'token' })
    if (pathname === '/user/emails') return Response.json([])
    await meanwhile()
    return Response.json({ id: 4711, login: 'thief', success: true, message: '', data: 'the thief' })
  },
})

beforeAll(async () => {
  const base = `http://127.0.0.1:${outside.port}`
  app = await startTestApp({ env: { GITHUB_URL: base, GITHUB_API_URL: base } })
  await setOptions(app, {
    GitHubOAuthEnabled: 'true',
    GitHubClientId: 'client',
    GitHubClientSecret: 'secret',
    WeChatAuthEnabled: 'true',
    WeChatServerAddress: base,
    WeChatServerToken: 'token',
  })
})
afterAll(async () => {
  await app.stop()
  await outside.stop(true)
})

const bindings = ['github', 'wechat'] as const

test.each(bindings)('a login by %s is bound by no session that a new password ended meanwhile', async (service) => {
  const anna = await signIn(app)
  const state = await anna.call(api.auth.oauthState, {})
  meanwhile = () => revokeAccess(app.ctx.database.db, anna.userId, null)
  const bound =
    service === 'github'
      ? await anna.raw(api.auth.github, { code: 'code', state })
      : await anna.raw(api.auth.wechatBind, { code: 'code' })
  expect(bound).toMatchObject({ status: 401, success: false })
  const row = await app.ctx.database.db
    .selectFrom('users')
    .select(['github_id', 'wechat_id'])
    .where('id', '=', anna.userId)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ github_id: '', wechat_id: '' })
})
