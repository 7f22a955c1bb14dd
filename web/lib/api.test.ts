import { describe, expect, test } from 'bun:test'
import { authApi } from '#shared/api/auth.ts'
import { channelsApi } from '#shared/api/channels.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { requestOf } from './api.ts'

describe('a call of the contract', () => {
  test('puts names of the path into the path and the rest of a GET into the query', () => {
    const { url, body } = requestOf(channelsApi.test, { id: 7, model: 'a b' })
    expect(url).toBe('/api/channel/test/7?model=a+b')
    expect(body).toBeUndefined()
  })

  test('leaves empty values out of the query', () => {
    expect(requestOf(tokensApi.list, { page: 2, pagesize: 10, order: '', keyword: undefined }).url).toBe(
      '/api/token/?page=2&pagesize=10',
    )
  })

  test('sends the body of a POST as JSON, but the fields of its query in the query', () => {
    const { url, body } = requestOf(authApi.register, { username: 'maren', password: 'secret-1', turnstile: 'tok' })
    expect(url).toBe('/api/user/register?turnstile=tok')
    expect(JSON.parse(body ?? '')).toEqual({ username: 'maren', password: 'secret-1' })
  })
})
