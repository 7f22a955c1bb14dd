import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { expectFree, expectUntouched } from '#server/testing/expect-charge.ts'
import { chatAnswer, deltaFrame, errorAnswer, eventStream } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'
import { tokenStatus, userStatus } from '#shared/statuses.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const good = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })

interface ErrorShape {
  readonly message: string
  readonly type: string
  readonly code: string | null
  readonly param: string | null
}

/** The error, checked for OpenAI's shape and for what must never be in it. */
async function refused(response: Response, status: number): Promise<ErrorShape> {
  const text = await response.text()
  expect(response.status, text).toBe(status)
  const body = JSON.parse(text) as { error: ErrorShape }
  expect(Object.keys(body)).toEqual(['error'])
  expect(Object.keys(body.error).sort()).toEqual(['code', 'message', 'param', 'type'])
  const id = response.headers.get('x-request-id')
  expect(id).toBeString()
  expect(body.error.message).toContain(`request id: ${id}`)
  expect(text).not.toContain('upstream-key')
  expect(text).not.toContain('127.0.0.1')
  return body.error
}

type TokenFields = { remain_quota?: number; expired_time?: number; models?: string; subnet?: string; status?: number }

/** A token of its own for a test. */
async function tokenWith({ status, ...fields }: TokenFields) {
  const { id, key } = await scene.user.call(api.tokens.create, { name: 'other', remain_quota: 100_000, ...fields })
  if (status) await scene.user.call(api.tokens.update, { id, status, status_only: true })
  const headers = { authorization: `Bearer sk-${key}` }
  const current = async () => (await scene.user.call(api.tokens.get, { id })).status
  return { id, key, headers, status: current }
}

describe('a request is refused', () => {
  test('without a key', async () => {
    await scene.channel(good)
    const bill = await scene.bill(async () => {
      const response = await fetch(`${scene.app.url}/v1/chat/completions`, { method: 'POST', body: '{}' })
      expect(await refused(response, 401)).toMatchObject({ code: 'missing_api_key' })
    })
    expectUntouched(bill)
  })

  test.each(['sk-wrong', 'wrong', `sk-${'a'.repeat(48)}`, 'sk-a-b-c', "sk-' or 1=1 --"])(
    'with the key %s',
    async (key) => {
      const response = await scene.chat({}, { headers: { authorization: `Bearer ${key}` } })
      expect(await refused(response, 401)).toMatchObject({ code: 'invalid_api_key' })
    },
  )

  test('with a disabled token', async () => {
    const token = await tokenWith({ status: tokenStatus.disabled })
    expect(await refused(await scene.chat({}, token), 401)).toMatchObject({ code: 'api_key_disabled' })
  })

  test('with an expired token, which then shows as expired', async () => {
    await scene.channel(good)
    const token = await tokenWith({ expired_time: Math.floor(Date.now() / 1000) + 100 })
    expect((await scene.chat({}, token)).status).toBe(200)
    scene.app.time.now = Date.now() + 200_000
    try {
      expect(await refused(await scene.chat({}, token), 401)).toMatchObject({ code: 'api_key_expired' })
      expect(await token.status()).toBe(tokenStatus.expired)
      expect(await refused(await scene.chat({}, token), 401)).toMatchObject({ code: 'api_key_expired' })
    } finally {
      scene.app.time.now = null
    }
  })

  test('with an exhausted token, which then shows as exhausted', async () => {
    await scene.channel(good)
    const token = await tokenWith({ remain_quota: 0 })
    expect(await refused(await scene.chat({}, token), 402)).toMatchObject({ code: 'insufficient_quota' })
    expect(await token.status()).toBe(tokenStatus.exhausted)
    const { code, message } = await refused(await scene.chat({}, token), 402)
    expect(code).toBe('insufficient_quota')
    expect(message).toContain('$0.000000 left, at least $0.000002 needed.')
  })

  test('with a token that has something left, but not enough: it stays enabled', async () => {
    await scene.channel(good)
    const token = await tokenWith({ remain_quota: 100 })
    expect((await refused(await scene.chat({}, token), 402)).message).toContain('$0.000200 left')
    expect(await token.status()).toBe(tokenStatus.enabled)
  })

  test('while another request holds all of the token: it stays enabled and serves again', async () => {
    const answer = Promise.withResolvers<void>()
    const channel = await scene.channel(async (seen) => {
      await answer.promise
      return good(seen)
    })
    const token = await tokenWith({ remain_quota: 5000 })
    const first = scene.chat({}, token)
    while (channel.seen.length === 0) await Bun.sleep(5)
    await refused(await scene.chat({}, token), 402)
    answer.resolve()
    expect((await first).status).toBe(200)
    expect(await token.status()).toBe(tokenStatus.enabled)
    expect((await scene.chat({}, token)).status).toBe(200)
  })

  test('when the user is out of quota', async () => {
    await scene.channel(good)
    const { userQuota } = await scene.books()
    await scene.root.call(api.users.update, { id: scene.userId, quota: 499 })
    const bill = await scene.bill(async () => {
      const error = await refused(await scene.chat(), 402)
      expect(error).toMatchObject({ code: 'insufficient_quota', type: 'insufficient_quota' })
      expect(error.message).toContain('$0.000998 left')
    })
    expectUntouched(bill)
    await scene.root.call(api.users.update, { id: scene.userId, quota: userQuota })
  })

  test('when the user is banned, at once', async () => {
    await scene.channel(good)
    expect((await scene.chat()).status).toBe(200)
    await scene.root.call(api.users.manage, { username: 'ann', action: 'disable' })
    expect(await refused(await scene.chat(), 403)).toMatchObject({ code: 'user_banned' })
    await scene.root.call(api.users.manage, { username: 'ann', action: 'enable' })
    expect((await scene.chat()).status).toBe(200)
    const { status } = await scene.app.ctx.database.db
      .selectFrom('users')
      .select('status')
      .where('id', '=', scene.userId)
      .executeTakeFirstOrThrow()
    expect(status).toBe(userStatus.activated)
  })

  test('when the token may not use the model', async () => {
    await scene.channel(good)
    const token = await tokenWith({ models: 'gpt-4o-mini' })
    expect(await refused(await scene.chat({}, token), 403)).toMatchObject({ code: 'model_not_allowed' })
  })

  test('when the token may not be used from this address, and served from one it may', async () => {
    await scene.channel(good)
    const token = await tokenWith({ subnet: '10.0.0.0/8,192.168.1.1' })
    expect(await refused(await scene.chat({}, token), 403)).toMatchObject({ code: 'address_not_allowed' })
    expect((await scene.chat({}, await tokenWith({ subnet: '127.0.0.0/8' }))).status).toBe(200)
  })

  test('when nobody carries the model', async () => {
    await scene.channel(good)
    const error = await refused(await scene.chat({ model: 'gpt-4o-mini' }), 404)
    expect(error).toMatchObject({ code: 'model_not_found', type: 'invalid_request_error' })
    expect(error.message).toContain('gpt-4o-mini')
  })

  test('when nobody of the groups carries the model', async () => {
    await scene.channel(good, { group: 'vip' })
    expect(await refused(await scene.chat(), 404)).toMatchObject({ code: 'model_not_found' })
  })

  test('when all channels that carry the model are disabled, with the reason', async () => {
    const channel = await scene.channel(good)
    await scene.root.call(api.channels.update, { id: channel.id, status: 2 })
    const error = await refused(await scene.chat(), 503)
    expect(error).toMatchObject({ code: 'no_available_channel' })
    expect(error.message).toContain('disabled')
  })

  test('when the model has no price', async () => {
    await scene.channel(good, { models: 'unpriced-model' })
    expect(await refused(await scene.chat({ model: 'unpriced-model' }), 403)).toMatchObject({
      code: 'model_not_priced',
    })
  })

  test('when no channel offers the operation', async () => {
    await scene.channel(good, { type: 14, models: 'gpt-4o' })
    const response = await scene.post('/v1/embeddings', { model: 'gpt-4o', input: 'hi' })
    expect(await refused(response, 400)).toMatchObject({ code: 'unsupported_operation' })
  })

  test.each(['', '{', '[]', '"text"', 'null', '12'])('when the body is %p', async (body) => {
    const { key } = scene
    const response = await fetch(`${scene.app.url}/v1/chat/completions`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${key}` },
    })
    expect(await refused(response, 400)).toMatchObject({ code: 'invalid_json' })
  })

  test('when the body is larger than any request may be', async () => {
    const response = await scene.chat({ user: 'x'.repeat(65 * 1024 * 1024) })
    expect(await refused(response, 413)).toMatchObject({ code: 'request_too_large' })
  })

  test('without a model', async () => {
    expect(await refused(await scene.chat({ model: undefined }), 400)).toMatchObject({ code: 'missing_parameter' })
  })

  test.each([-1, 1.5, '10', 1e12, true])('with max_tokens %p', async (value) => {
    await scene.channel(good)
    const bill = await scene.bill(async () => {
      const error = await refused(await scene.chat({ max_tokens: value }), 400)
      expect(error.message).toContain('max_tokens')
    })
    expectUntouched(bill)
  })

  test('at a path nobody knows', async () => {
    expect(await refused(await scene.post('/v1/unknown', {}), 404)).toMatchObject({ code: 'unknown_url' })
  })
})

describe('a pinned channel', () => {
  test('is for administrators alone', async () => {
    const channel = await scene.channel(good)
    const response = await scene.chat({}, { headers: { authorization: `Bearer ${scene.key}-${channel.id}` } })
    expect(await refused(response, 403)).toMatchObject({ code: 'channel_not_allowed' })
  })

  test('is used and no other', async () => {
    await scene.root.call(api.users.manage, { username: 'ann', action: 'promote' })
    try {
      const other = await scene.channel(good, { priority: 9 })
      const pinned = await scene.channel([good, errorAnswer(500, { message: 'no' })])
      const headers = { authorization: `Bearer ${scene.key}-${pinned.id}` }
      await scene.option('RetryTimes', 3)
      expect((await scene.chat({}, { headers })).status).toBe(200)
      expect((await scene.chat({}, { headers })).status).toBe(500)
      expect([other.seen.length, pinned.seen.length]).toEqual([0, 2])
      const nobody = await scene.chat({}, { headers: { authorization: `Bearer ${scene.key}-999999` } })
      expect(await refused(nobody, 404)).toMatchObject({ code: 'channel_not_found' })
      await scene.root.call(api.channels.update, { id: pinned.id, status: 2 })
      expect(await refused(await scene.chat({}, { headers }), 403)).toMatchObject({ code: 'channel_disabled' })
    } finally {
      await scene.root.call(api.users.manage, { username: 'ann', action: 'demote' })
    }
  })
})

describe("a provider's words", () => {
  const leaky = (url: string, key: string) =>
    `Incorrect API key provided: ${key}. See ${url}/v1/chat/completions (${new URL(url).host})`

  test.each([400, 401, 429, 500])(
    'with its key and address in a %d reach neither the client nor the row',
    async (status) => {
      const channel = await scene.channel((seen) => {
        const key = seen.headers.get('authorization')?.slice(7) ?? ''
        return errorAnswer(status, { message: leaky(`http://${seen.headers.get('host')}`, key) })(seen)
      })
      const bill = await scene.bill(async () => refused(await scene.chat(), status === 401 ? 502 : status))
      expectFree(bill, { outcome: 'failed', channel: channel.id })
      expect(JSON.stringify(bill.rows)).not.toContain('upstream-key')
      expect(JSON.stringify(bill.rows)).not.toContain('127.0.0.1')
    },
  )

  test('in the middle of a stream are cleaned as well', async () => {
    await scene.channel((seen) => {
      const key = seen.headers.get('authorization')?.slice(7) ?? ''
      const message = leaky(`http://${seen.headers.get('host')}`, key)
      return eventStream(deltaFrame('hello'), 20, `data: ${JSON.stringify({ error: { message } })}\n\n`)(seen)
    })
    const text = await (await scene.chat({ stream: true })).text()
    expect(text).toContain('Incorrect API key')
    expect(text).not.toContain('upstream-key')
    expect(text).not.toContain('127.0.0.1')
    expect(JSON.stringify((await scene.books()).rows[0])).not.toContain('upstream-key')
  })

  test('with a character no database can store are answered and booked all the same', async () => {
    await scene.channel(errorAnswer(500, { message: 'broken\u0000text' }))
    const bill = await scene.bill(async () => expect((await scene.chat()).status).toBe(500))
    expectFree(bill, { outcome: 'failed', content: 'brokentext' })
  })
})
