import { afterAll, afterEach, describe, expect, spyOn, test } from 'bun:test'
import { z } from 'zod'
import { authApi } from '#shared/api/auth.ts'
import { channelsApi } from '#shared/api/channels.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { endpoint } from '#shared/contract.ts'
import { ApiError, call } from './api.ts'

const fetching = spyOn(globalThis, 'fetch')
afterEach(() => void fetching.mockReset())
afterAll(() => fetching.mockRestore())

const answer = (body: unknown, status = 200) =>
  fetching.mockImplementation(
    Object.assign(async () => Response.json(body, { status }), { preconnect: () => undefined }),
  )

const sent = () => {
  const [url, init] = fetching.mock.calls[0] ?? []
  return { url: String(url), init }
}

describe('a call of the contract', () => {
  test('puts names of the path into the path and the rest of a GET into the query', async () => {
    answer({ success: true, message: '', data: undefined })
    await call(channelsApi.test, { id: 7, model: 'a b' }).catch(() => undefined)
    expect(sent().url).toBe('/api/channel/test/7?model=a+b')
    expect(sent().init?.body).toBeUndefined()
  })

  test('encodes what stands in the path, so that a name cannot become another path', async () => {
    const remove = endpoint({
      method: 'DELETE',
      path: '/api/price/:model',
      access: 'admin',
      summary: '',
      input: z.object({ model: z.string() }),
    })
    answer({ success: true, message: '' })
    await call(remove, { model: '../user/a b?c#d%' })
    expect(sent().url).toBe('/api/price/..%2Fuser%2Fa%20b%3Fc%23d%25')
  })

  test('leaves empty values out of the query', async () => {
    answer({ success: true, message: '', data: { list: [], total: 0 } })
    await call(tokensApi.list, { page: 2, pagesize: 10, order: '' })
    expect(sent().url).toBe('/api/token/?page=2&pagesize=10')
  })

  test('sends the body of a POST as JSON, but the fields of its query in the query', async () => {
    answer({ success: true, message: '' })
    await call(authApi.register, { username: 'maren', password: 'secret-1', turnstile: 'tok' })
    expect(sent().url).toBe('/api/user/register?turnstile=tok')
    expect(sent().init).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } })
    expect(JSON.parse(String(sent().init?.body))).toEqual({ username: 'maren', password: 'secret-1' })
  })

  test('a refusal is thrown with its status, code and parameters', async () => {
    answer({ success: false, message: 'no', code: 'token.too_many', params: { limit: 3 } })
    const error = await call(tokensApi.list, {}).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 200, code: 'token.too_many', params: { limit: 3 }, message: 'no' })
  })

  test('that reaches nobody says so in words, not in those of the browser', async () => {
    fetching.mockRejectedValue(new TypeError('Failed to fetch'))
    await expect(call(tokensApi.list, {})).rejects.toThrow('the server cannot be reached; check your connection')
  })

  test('an answer that is no envelope is thrown with its status', async () => {
    answer('a page of a proxy', 502)
    expect(await call(tokensApi.list, {}).catch((caught: unknown) => caught)).toMatchObject({
      status: 502,
      message: 'Request failed with status code 502',
    })
  })
})
