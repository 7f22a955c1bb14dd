import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rootPassword, startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { authApi } from '#shared/api/auth.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const refusal = 'Wrong username or password, or the user is banned'

describe('logging in', () => {
  test('answers the user and a cookie that scripts and other sites cannot use', async () => {
    const answer = await app.client().fetch('/api/user/login', {
      method: 'POST',
      body: JSON.stringify({ username: 'root', password: rootPassword }),
    })
    expect(await answer.json()).toEqual({
      success: true,
      message: '',
      data: { id: 1, username: 'root', display_name: 'Root User', role: 100, status: 1 },
    })
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^session=\w{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
  })

  test.each([
    ['an unknown name', { username: 'nobody', password: 'some password' }],
    ['a wrong password', { username: 'root', password: 'some password' }],
  ])('refuses %s with the one message', async (_, credentials) => {
    const answer = await app.client().raw(authApi.login, credentials)
    expect(answer).toMatchObject({ status: 200, success: false, message: refusal })
  })
})
