import { describe, expect, spyOn, test } from 'bun:test'
import { type BatchScene, chatLine, onBatchScene, refusedWith } from '#server/testing/batch-scene.ts'
import { expectCharge, expectFree, expectUntouched } from '#server/testing/expect-charge.ts'
import { api } from '#shared/api/all.ts'

let on: BatchScene
onBatchScene((started) => {
  on = started
})

const hello = [{ role: 'user' as const, content: 'hi' }]
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]

describe('a batch whose answers would be paid with another price', () => {
  test('whose lines cannot be distinguished is refused', async () => {
    const bill = await on.scene.bill(async () => {
      const lines = [{ request: { contents } }, { request: { contents, tools: [{ googleSearch: {} }] } }]
      const blob = new Blob([lines.map((line) => JSON.stringify(line)).join('\n')])
      const file = await on.own.google.files.upload({ file: blob, config: { mimeType: 'application/jsonl' } })
      const made = on.own.google.batches.create({ model: 'gpt-4o', src: file.name ?? '' })
      expect(await refusedWith(made)).toMatchObject({ status: 400 })
    })
    expectUntouched(bill)
    expect(on.vendor().batches.size).toBe(0)
  })

  test('because half a character names its lines is refused', async () => {
    const error = await refusedWith(on.openaiBatch([chatLine('a'), chatLine('b\ud800')]))
    expect(error).toMatchObject({ status: 400 })
    expect(error?.message).toContain('custom_id')
  })

  test('because its answers come when nobody pays them any more is refused', async () => {
    const line = { ...chatLine('a'), body: { ...chatLine('a').body, background: true } }
    expect(await refusedWith(on.openaiBatch([line]))).toMatchObject({ status: 400 })
  })
})

const page = () => new Response('<html>\n<p>busy</p>', { headers: { 'content-type': 'text/html' } })

test('a batch whose file its vendor shows as a page is the vendor’s fault, and free', async () => {
  const bill = await on.scene.bill(async () => {
    on.vendor().instead = (_, path) => (path.endsWith('/content') ? page() : undefined)
    expect(await refusedWith(on.openaiBatch([chatLine('a')]))).toMatchObject({ status: 502 })
    on.vendor().instead = null
  })
  expectUntouched(bill)
})

test.each([
  ['a page', page],
  ['lines of a page', () => new Response('<html>\n<p>busy</p>')],
  ['an error', () => Response.json({ error: { message: 'try again' } })],
])('a batch whose results are %s is paid once they are there', async (_, answer) => {
  const bill = await on.scene.bill(async () => {
    const id = await on.openaiBatch([chatLine('a')])
    on.vendor().end(id, 'completed')
    on.vendor().instead = (_method, path) => (path.endsWith('/content') ? answer() : undefined)
    await on.lookAround()
    expect((await on.scene.books()).holds).toBe(1)
    on.vendor().instead = null
    await on.lookAround()
  })
  expectCharge(bill, 15)
})

describe('a batch that has ended, says its vendor, with answers', () => {
  const shownAs = (id: string, more: object) => {
    const batch = on.vendor().batches.get(id)
    if (batch) batch.shown = { ...batch.shown, ...more }
  }

  test('whose file it does not name yet is held, and paid once it does; its user can fetch it then', async () => {
    const bill = await on.scene.bill(async () => {
      const id = await on.openaiBatch([chatLine('a')])
      on.vendor().end(id, 'completed')
      const file = on.vendor().batches.get(id)?.shown.output_file_id
      shownAs(id, { output_file_id: null, request_counts: { total: 1, completed: 1, failed: 0 } })
      await on.lookAround()
      expect(await on.own.openai.batches.retrieve(id)).toMatchObject({ status: 'completed' })
      expect((await on.scene.books()).holds).toBe(1)
      shownAs(id, { output_file_id: file })
      await on.lookAround()
      expect((await on.own.openai.files.content(String(file))).status).toBe(200)
    })
    expectCharge(bill, 15)
  })

  test('that it does not show yet is held, and paid once it does', async () => {
    const bill = await on.scene.bill(async () => {
      const made = await on.own.google.batches.create({ model: 'gpt-4o', src: [{ contents }] })
      const id = made.name ?? ''
      on.vendor().end(id, 'SUCCEEDED')
      const { response, metadata } = on.vendor().batches.get(id)?.shown ?? {}
      const batchStats = { requestCount: '1', successfulRequestCount: '1' }
      shownAs(id, { response: undefined, metadata: { state: 'BATCH_STATE_SUCCEEDED', batchStats } })
      await on.lookAround()
      expect((await on.scene.books()).holds).toBe(1)
      shownAs(id, { response, metadata })
      await on.lookAround()
    })
    expectCharge(bill, 15)
  })

  test('that it does not count is paid for what its results hold', async () => {
    const bill = await on.scene.bill(async () => {
      const { id } = await on.own.anthropic.messages.batches.create({
        requests: [{ custom_id: 'a', params: { model: 'gpt-4o', max_tokens: 20, messages: hello } }],
      })
      on.vendor().end(id, 'errored')
      shownAs(id, { request_counts: { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 } })
      await on.lookAround()
    })
    expectCharge(bill, 15)
  })
})

test('a batch that its vendor takes a minute and a half to begin is begun, and paid when it ends', async () => {
  const { timeout } = AbortSignal
  const hurried = spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, ms / 100))
  const bill = await on.scene.bill(async () => {
    on.vendor().instead = async (method, path) => {
      if (method === 'POST' && path === '/v1/batches') await Bun.sleep(900)
      return undefined
    }
    const id = await on.openaiBatch([chatLine('a')]).finally(() => hurried.mockRestore())
    on.vendor().instead = null
    on.vendor().end(id, 'completed')
    await on.lookAround()
  })
  expect(on.vendor().batches.size).toBe(1)
  expectCharge(bill, 15)
})

test('a batch that its vendor never ends is given back when its time is over, and is nobody’s afterwards', async () => {
  const { db } = on.scene.app.ctx.database
  const bill = await on.scene.bill(async () => {
    const id = await on.openaiBatch([chatLine('a')])
    await on.lookAround()
    expect((await on.scene.books()).holds).toBe(1)
    await db.updateTable('long_work').set({ ends_at: 1 }).execute()
    await on.lookAround()
    on.vendor().end(id, 'completed')
    expect(await refusedWith(on.own.openai.batches.retrieve(id))).toMatchObject({ status: 404 })
  })
  expectFree(bill, { outcome: 'failed' })
})

describe('a batch nobody can bound once it runs', () => {
  const tool = (max_uses?: number) => ({ type: 'web_search_20250305' as const, name: 'web_search' as const, max_uses })
  const requestWith = (tools: ReturnType<typeof tool>[]) => ({
    custom_id: 'a',
    params: { model: 'claude-sonnet-4-5', max_tokens: 20, messages: hello, tools: JSON.parse(JSON.stringify(tools)) },
  })
  const asked = (tools: ReturnType<typeof tool>[]) =>
    refusedWith(on.own.anthropic.messages.batches.create({ requests: [requestWith(tools)] }))

  test('needs a limit for tools that run at its vendor, no higher than is held', async () => {
    const bill = await on.scene.bill(async () => {
      expect(await asked([tool()])).toMatchObject({ status: 400 })
      expect(await asked([tool(100)])).toMatchObject({ status: 400 })
      expect(await asked([tool(15), tool(15)])).toMatchObject({ status: 400 })
    })
    expectUntouched(bill)
    expect(on.vendor().batches.size).toBe(0)
  })

  test('is held as long as it may be, also beyond what its model is known to answer', async () => {
    const most = 300_000
    await on.scene.root.call(api.users.update, { id: on.scene.userId, quota: 1_000_000 })
    const params = { model: 'claude-sonnet-4-5', max_tokens: most, messages: hello }
    const bill = await on.scene.bill(async () => {
      const error = await refusedWith(
        on.own.anthropic.messages.batches.create({ requests: [{ custom_id: 'a', params }] }),
      )
      // 300,000 × 7.5 ÷ 2 is more than there is.
      expect(error).toMatchObject({ status: 402 })
    })
    expectUntouched(bill)
  })
})

test('what a part took beyond its hold is paid by what is left of the others', async () => {
  const { scene } = on
  const quick = { service_tier: 'priority' }
  const lines = [chatLine('a'), ...Array.from({ length: 9 }, (_, at) => chatLine(`b${at}`, quick))]
  const before = (await scene.books()).userQuota
  const first = await on.openaiBatch(lines)
  const held = before - (await scene.books()).userQuota
  on.vendor().end(first, 'failed', 0)
  await on.lookAround()
  await scene.root.call(api.users.update, { id: scene.userId, quota: held })
  const bill = await scene.bill(async () => {
    const id = await on.openaiBatch(lines)
    expect((await scene.books()).userQuota).toBe(0)
    // Its vendor says that every answer is one to the first line.
    const batch = on.vendor().batches.get(id)
    if (batch) on.vendor().batches.set(id, { ...batch, lines: batch.lines.map((line) => ({ ...line, key: 'a' })) })
    on.vendor().end(id, 'completed')
    await on.lookAround()
  })
  expect(bill).toMatchObject({ user: -150, holds: 0 })
  await scene.root.call(api.users.update, { id: scene.userId, quota: 1_000_000 })
})

test('what is given back because nobody could look at it is nobody’s afterwards', async () => {
  const { db } = on.scene.app.ctx.database
  const { id } = await on.own.anthropic.messages.batches.create({
    requests: [{ custom_id: 'a', params: { model: 'gpt-4o', max_tokens: 20, messages: hello } }],
  })
  on.vendor().end(id, 'errored')
  on.vendor().instead = (_, path) => (path.endsWith('/results') ? new Response('gone', { status: 500 }) : undefined)
  await db.updateTable('long_work').set({ ends_at: 1 }).execute()
  await on.lookAround()
  on.vendor().instead = null
  expect((await on.scene.books()).holds).toBe(0)
  const answer = await fetch(`${on.scene.app.url}/v1/messages/batches/${id}/results`, {
    headers: { 'x-api-key': on.scene.key, 'anthropic-version': '2023-06-01' },
  })
  expect(answer.status).toBe(404)
})
