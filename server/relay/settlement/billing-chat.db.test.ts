import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { conversationCharges } from '#server/testing/conversation-charges.ts'
import { expectCharge, expectFree, expectUntouched } from '#server/testing/expect-charge.ts'
import {
  chatAnswer,
  chatStream,
  deltaFrame,
  doneFrame,
  errorAnswer,
  eventStream,
  finishFrame,
  usageFrame,
} from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const usage = { prompt_tokens: 10, completion_tokens: 5 }

describe('the charge of a conversation', () => {
  test.each(conversationCharges.map((entry) => [entry.says, entry] as const))('%s', async (_, entry) => {
    for (const [key, value] of Object.entries(entry.options ?? {})) await scene.option(key as never, value)
    const channel = await scene.channel(entry.upstream)
    const bill = await scene.bill(async () => {
      const response = await scene.chat(entry.body)
      expect(response.status).toBe(200)
      expect(response.headers.get('x-request-id')).not.toBeNull()
      await response.text()
    })
    const [prompt_tokens, completion_tokens] = entry.tokens
    expectCharge(bill, entry.charge, {
      prompt_tokens,
      completion_tokens,
      channel: channel.id,
      tried: String(channel.id),
      is_stream: entry.body?.stream ? 1 : 0,
      model_name: 'gpt-4o',
    })
  })

  test('a stream its client cuts costs the prompt and what was delivered', async () => {
    const words = Array.from({ length: 400 }, () => 'hello ')
    const cutAfter = 1 + Math.floor(Math.random() * 20)
    await scene.channel(eventStream(...words.flatMap((word) => [deltaFrame(word), 5]), finishFrame(), doneFrame))
    let delivered = 0
    const bill = await scene.bill(async () => {
      const leaving = new AbortController()
      const response = await scene.chat({ stream: true }, { signal: leaving.signal })
      const reader = response.body?.getReader()
      while (delivered < cutAfter)
        delivered += new TextDecoder().decode((await reader?.read())?.value).split('hello').length - 1
      leaving.abort()
      await reader?.read().catch(() => {})
    })
    const [row] = bill.rows
    expectCharge(bill, 8 + 4 * (row?.completion_tokens ?? 0), { outcome: 'cut', prompt_tokens: 8 })
    expect(row?.completion_tokens).toBeGreaterThanOrEqual(delivered)
    // The frames on their way when the client left, and no more.
    expect(row?.completion_tokens).toBeLessThan(delivered + 60)
  })

  test('answers that are given at once have the number of their own request each', async () => {
    await scene.channel(chatAnswer('hello', usage))
    let numbers: (string | null)[][] = []
    const bill = await scene.bill(async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => scene.chat()))
      numbers = answers.map(({ headers }) => [headers.get('x-request-id'), headers.get('request-id')])
    })
    const ids = bill.rows.map(({ request_id }) => request_id)
    expect(numbers.sort()).toEqual(ids.sort().map((id) => [id, id]))
  })

  test('an empty answer is free and does not count as a request', async () => {
    await scene.channel(chatAnswer('', { prompt_tokens: 10, completion_tokens: 0 }))
    const bill = await scene.bill(async () => expect((await scene.chat()).status).toBe(200))
    expectFree(bill, { outcome: 'done' })
  })

  test('an empty stream is free', async () => {
    await scene.channel(eventStream(finishFrame(), usageFrame({ prompt_tokens: 10, completion_tokens: 0 }), doneFrame))
    const bill = await scene.bill(async () =>
      expect((await scene.chat({ stream: true })).text()).resolves.toContain('[DONE]'),
    )
    expectFree(bill, { outcome: 'done' })
  })

  test('an error before the first byte is free', async () => {
    await scene.channel(errorAnswer(500, { message: 'out of order' }))
    const bill = await scene.bill(async () => expect((await scene.chat()).status).toBe(500))
    expectFree(bill, { outcome: 'failed' })
  })

  test('an error after the first byte costs the prompt and what was delivered', async () => {
    await scene.channel(
      eventStream(deltaFrame('hello'), 20, 'data: {"error":{"message":"lost","type":"server_error"}}\n\n'),
    )
    const bill = await scene.bill(async () => {
      const text = await (await scene.chat({ stream: true })).text()
      expect(text).toContain('hello')
      expect(text.match(/"error"/g)).toHaveLength(1)
      expect(text).toContain('request id')
      expect(text).not.toContain('[DONE]')
    })
    expectCharge(bill, 12, { outcome: 'failed', prompt_tokens: 8, completion_tokens: 1 })
  })

  test('only the attempt that was delivered is billed', async () => {
    await scene.option('RetryTimes', 2)
    const failing = await scene.channel(
      eventStream(': waking up\n\n', 'data: {"error":{"message":"lost","type":"server_error"}}\n\n'),
      { priority: 9 },
    )
    const other = await scene.channel(chatStream(['hello'], usage))
    const bill = await scene.bill(async () => (await scene.chat({ stream: true })).text())
    expectCharge(bill, 30, { channel: other.id, tried: `${failing.id},${other.id}` })
  })

  test('a model without a price is refused with a message that says so', async () => {
    const channel = await scene.channel(chatAnswer('hello', usage), { models: 'nobody-priced-this' })
    const bill = await scene.bill(async () => {
      const response = await scene.chat({ model: 'nobody-priced-this' })
      expect(response.status).toBe(403)
      expect(await response.text()).toContain('has no price')
    })
    expectUntouched(bill)
    expect(channel.seen).toEqual([])
  })

  test('with a mapping the name the client asked for is priced and logged', async () => {
    const channel = await scene.channel(chatAnswer('hello', usage), { model_mapping: '{"gpt-4o":"gpt-4-32k"}' })
    const bill = await scene.bill(() => scene.chat())
    expectCharge(bill, 30, { model_name: 'gpt-4o' })
    expect(channel.seen[0]?.body.model).toBe('gpt-4-32k')
    expect(JSON.parse(bill.rows[0]?.detail ?? '')).toMatchObject({ mapped: 'gpt-4-32k', charge: { model: 'gpt-4o' } })
  })

  test('with a mapping the other name is priced when the first has no price', async () => {
    await scene.channel(chatAnswer('hello', usage), { models: 'house', model_mapping: '{"house":"gpt-4o"}' })
    const bill = await scene.bill(() => scene.chat({ model: 'house' }))
    expectCharge(bill, 30, { model_name: 'house' })
  })

  test('the cheapest of the groups through which the channel is reached sets the price', async () => {
    await scene.option('GroupRatio', '{"default": 1, "vip": 0.5, "svip": 0.1}')
    await scene.root.call(api.users.update, { id: scene.userId, group: 'default,vip,svip' })
    try {
      await scene.channel(chatAnswer('hello', { prompt_tokens: 11, completion_tokens: 5 }), { group: 'default,vip' })
      const bill = await scene.bill(() => scene.chat())
      // 31 × 0.5, rounded up
      expectCharge(bill, 16)
      expect(JSON.parse(bill.rows[0]?.detail ?? '')).toMatchObject({ charge: { groupRatio: 0.5 } })
    } finally {
      await scene.root.call(api.users.update, { id: scene.userId, group: 'default' })
    }
  })

  test('a free group pays nothing, and the request counts', async () => {
    await scene.option('GroupRatio', '{"default": 0}')
    await scene.channel(chatAnswer('hello', usage))
    const bill = await scene.bill(() => scene.chat())
    expect(bill).toMatchObject({ user: 0, token: 0, requests: 1, holds: 0 })
    expect(bill.rows[0]).toMatchObject({ quota: 0, prompt_tokens: 10, outcome: 'done' })
  })

  test('money moves also when consumption is not logged', async () => {
    await scene.option('LogConsumeEnabled', false)
    await scene.channel(chatAnswer('hello', usage))
    const { rows, ...moved } = await scene.bill(() => scene.chat())
    expect(moved).toMatchObject({ user: -30, userUsed: 30, requests: 1, token: -30, tokenUsed: 30, holds: 0 })
    expect(rows).toEqual([])
  })

  test('an unlimited token counts what it used and keeps what it has', async () => {
    await scene.user.call(api.tokens.update, { id: scene.tokenId, unlimited_quota: true })
    try {
      await scene.channel(chatAnswer('hello', usage))
      const bill = await scene.bill(() => scene.chat())
      expect(bill).toMatchObject({ user: -30, userUsed: 30, requests: 1, token: 0, tokenUsed: 30, holds: 0 })
    } finally {
      await scene.user.call(api.tokens.update, { id: scene.tokenId, unlimited_quota: false })
    }
  })

  test('usage above the reservation is charged down to zero, and the rest is on the row', async () => {
    const { userQuota } = await scene.books()
    await scene.root.call(api.users.update, { id: scene.userId, quota: 600 })
    try {
      await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 500 }))
      const bill = await scene.bill(async () => expect((await scene.chat({ max_tokens: 20 })).status).toBe(200))
      expectCharge(bill, 600)
      expect(JSON.parse(bill.rows[0]?.detail ?? '')).toMatchObject({ shortfall: 1410 })
    } finally {
      await scene.root.call(api.users.update, { id: scene.userId, quota: userQuota })
    }
  })

  test.each([
    ['infinite', { prompt_tokens: 1e300, completion_tokens: -5 }, 8 + 4],
    ['negative', { prompt_tokens: -10, completion_tokens: 5 }, 8 + 4 * 5],
    [
      'of more cached tokens than there were',
      { prompt_tokens: 1000, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 1_000_000 } },
      1000 * 0.5 + 4 * 10,
    ],
  ])('a report that cannot be true, %s, is put right and leaves a warning', async (_, report, quota) => {
    await scene.channel(chatAnswer('hello', report))
    const warn = spyOn(scene.app.ctx.log, 'warn')
    const bill = await scene.bill(() => scene.chat())
    expectCharge(bill, quota)
    const [row] = bill.rows
    expect(warn).toHaveBeenCalledWith(
      'an upstream reported usage that cannot be true',
      expect.objectContaining({ request: row?.request_id }),
    )
    warn.mockRestore()
  })
})
