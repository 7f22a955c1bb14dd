import { describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { type BatchScene, chatLine, onBatchScene, refusedWith } from '#server/testing/batch-scene.ts'
import { expectCharge, expectFree, expectUntouched } from '#server/testing/expect-charge.ts'
import { sdkClients } from '#server/testing/sdk-clients.ts'
import { strangerKey } from '#server/testing/stranger-key.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let on: BatchScene
onBatchScene((started) => {
  on = started
})

const three = ['a', 'b', 'c'].map((id) => chatLine(id))
const drift = () => reconcile(on.scene.app.ctx.database.db)

describe('a batch of OpenAI', () => {
  test('is held while it runs and costs half the price of its answers when it has ended, once', async () => {
    const before = await on.scene.books()
    const bill = await on.scene.bill(async () => {
      const id = await on.openaiBatch(three)
      const held = before.userQuota - (await on.scene.books()).userQuota
      // 3 × (8 in + 20 × 4 out) ÷ 2, the prompt estimated a little on the safe side.
      expect(held).toBeGreaterThanOrEqual(132)
      expect(held).toBeLessThan(200)
      expect(await drift()).toEqual([])
      await on.lookAround()
      expect((await on.scene.books()).holds).toBe(1)
      on.vendor().end(id, 'completed')
      await on.lookAround()
      await on.lookAround()
      const batch = await on.own.openai.batches.retrieve(id)
      expect(batch.status).toBe('completed')
      const answers = await (await on.own.openai.files.content(batch.output_file_id ?? '')).text()
      expect(answers.split('\n')).toHaveLength(3)
    })
    expectCharge(bill, 45, { prompt_tokens: 30, completion_tokens: 15, model_name: 'gpt-4o' })
    expect(JSON.parse(bill.rows[0]?.detail ?? '')).toMatchObject({ lines: 3, charge: { times: 0.5 } })
    expect(await drift()).toEqual([])
  })

  test('is paid when its user asks for it, before he is shown its results', async () => {
    const bill = await on.scene.bill(async () => {
      const id = await on.openaiBatch(three)
      on.vendor().end(id, 'completed')
      await Promise.all([1, 2, 3].map(() => on.own.openai.batches.retrieve(id)))
    })
    expectCharge(bill, 45)
  })

  test.each([
    ['cancelled', 1, 15],
    ['expired', 2, 30],
  ])('that was %s costs its answered lines', async (status, answered, quota) => {
    const bill = await on.scene.bill(async () => {
      const id = await on.openaiBatch(three)
      expect((await on.own.openai.batches.cancel(id)).status).toBe('cancelling')
      on.vendor().end(id, status, answered)
      await on.lookAround()
    })
    expectCharge(bill, quota, { outcome: 'cut' })
  })

  test('that failed costs nothing', async () => {
    const bill = await on.scene.bill(async () => {
      on.vendor().end(await on.openaiBatch(three), 'failed', 0)
      await on.lookAround()
    })
    expectFree(bill, { outcome: 'failed' })
  })

  test('its vendor refused costs nothing and holds nothing', async () => {
    const bill = await on.scene.bill(async () => {
      on.vendor().instead = (method, path) =>
        method === 'POST' && path === '/v1/batches'
          ? Response.json({ error: { message: 'no' } }, { status: 400 })
          : undefined
      expect(await refusedWith(on.openaiBatch(three))).toMatchObject({ status: 400 })
    })
    expectFree(bill, { outcome: 'failed' })
  })

  test.each([
    ['a line that cannot be read', [chatLine('a'), '{"custom_id": "b", '], 400, 'Line 2'],
    [
      'a line that says its body twice',
      [JSON.stringify(chatLine('a')).replace('"body"', '"body":{},"body"')],
      400,
      'twice',
    ],
    ['a line for another address', [{ ...chatLine('a'), url: '/v1/embeddings' }], 400, 'Line 1'],
    ['a custom_id given twice', [chatLine('a'), chatLine('a')], 400, 'twice'],
    ['no lines', [], 400, 'no lines'],
    ['a model nobody carries', [chatLine('a', { model: 'gpt-nobody' })], 404, 'gpt-nobody'],
    ['a model without a price', [chatLine('a', { model: 'unpriced-model' })], 403, 'no price'],
    ['a model of another channel', [chatLine('a', { model: 'claude-sonnet-4-5' })], 400, 'does not carry'],
    [
      'more than its user has',
      Array.from({ length: 10_000 }, (_, at) => chatLine(`l${at}`, { max_tokens: 16_000 })),
      402,
      'quota',
    ],
  ])('with %s is refused, and its vendor is not asked', async (_, lines, status, says) => {
    const bill = await on.scene.bill(async () => {
      const error = await refusedWith(on.openaiBatch(lines))
      expect(error).toMatchObject({ status })
      expect(error?.message).toContain(says)
    })
    expectUntouched(bill)
    expect(on.vendor().seen).not.toContain('POST /v1/batches')
  })

  test('without an input file says that one is needed', async () => {
    const asked = on.own.openai.batches.create({ endpoint: '/v1/chat/completions', completion_window: '24h' } as never)
    const refused = await refusedWith(asked)
    expect(refused?.status).toBe(400)
    expect(refused?.message).toContain('input_file_id is required')
  })

  test('without a limit, of a model whose longest answer nobody knows, is refused; with one it is held', async () => {
    await on.scene.option('ModelRatio', '{"gpt-4o": 1, "unpriced-model": 1}')
    const line = (max_tokens?: number) => chatLine('a', { model: 'unpriced-model', max_tokens })
    const bill = await on.scene.bill(async () => {
      const error = await refusedWith(on.openaiBatch([line()]))
      expect(error).toMatchObject({ status: 400 })
      expect(error?.message).toContain('give every line a limit')
    })
    expectUntouched(bill)
    const id = await on.openaiBatch([line(20)])
    on.vendor().end(id, 'failed', 0)
    await on.lookAround()
  })

  test('with a model its key may not use is refused', async () => {
    await on.scene.user.call(api.tokens.update, { id: on.scene.tokenId, models: 'another' })
    try {
      expect(await refusedWith(on.openaiBatch(three))).toMatchObject({ status: 403 })
    } finally {
      await on.scene.user.call(api.tokens.update, { id: on.scene.tokenId, models: '' })
    }
  })

  test('is unknown to others, who see none in their list and cannot use its files', async () => {
    const { openai } = sdkClients(on.scene.app.url, await strangerKey(on.scene))
    const id = await on.openaiBatch(three)
    const [file = ''] = on.vendor().files.keys()
    const asked = on.vendor().seen.length
    expect(await refusedWith(openai.batches.retrieve(id))).toMatchObject({ status: 404 })
    expect(await refusedWith(openai.batches.cancel(id))).toMatchObject({ status: 404 })
    const other = { input_file_id: file, endpoint: '/v1/chat/completions', completion_window: '24h' } as const
    expect(await refusedWith(openai.batches.create(other))).toMatchObject({ status: 404 })
    expect((await openai.batches.list()).data).toEqual([])
    expect((await on.own.openai.batches.list()).data.map((batch) => batch.id)).toEqual([id])
    expect(on.vendor().seen).toHaveLength(asked)
    on.vendor().end(id, 'failed', 0)
    await on.lookAround()
  })

  test('is paid once by the node that comes after the one that began it was killed', async () => {
    const bill = await on.scene.bill(async () => {
      const id = await on.openaiBatch(three)
      const { config } = on.scene.app.ctx
      const next = await startTestApp({ databaseUrl: config.DATABASE_URL })
      try {
        on.vendor().end(id, 'completed')
        await next.ctx.database.db.updateTable('long_work').set({ next_look_at: 0 }).execute()
        const job = next.jobs.find(({ name }) => name === 'look-at-long-work')
        await Promise.all([job?.run(next.ctx), on.lookAround()])
        await job?.run(next.ctx)
      } finally {
        await next.stop()
      }
    })
    expectCharge(bill, 45)
    expect(await drift()).toEqual([])
  })

  test('whose answers cannot be fetched yet is not paid, and not shown as done', async () => {
    const bill = await on.scene.bill(async () => {
      const id = await on.openaiBatch(three)
      on.vendor().end(id, 'completed')
      on.vendor().instead = (_, path) => (path.endsWith('/content') ? new Response('no', { status: 500 }) : undefined)
      await on.lookAround()
      expect(await refusedWith(on.own.openai.batches.retrieve(id))).not.toBeNull()
      expect((await on.scene.books()).holds).toBe(1)
      on.vendor().instead = null
      await on.lookAround()
    })
    expectCharge(bill, 45)
  })

  test('nobody can look at until its time is over is given back, and the row says so', async () => {
    const { db } = on.scene.app.ctx.database
    const bill = await on.scene.bill(async () => {
      await on.openaiBatch(three)
      on.vendor().instead = () => new Response('gone', { status: 500 })
      await on.lookAround()
      expect((await on.scene.books()).holds).toBe(1)
      await db.updateTable('long_work').set({ ends_at: 1 }).execute()
      await on.lookAround()
    })
    expectFree(bill, { outcome: 'failed' })
    expect(bill.rows[0]?.content).toContain('Nothing was charged')
  })

  test('whose results are named before it has ended keeps them until they are paid', async () => {
    const bill = await on.scene.bill(async () => {
      const id = await on.openaiBatch(three)
      on.vendor().end(id, 'finalizing')
      const { output_file_id } = await on.own.openai.batches.retrieve(id)
      expect(await refusedWith(on.own.openai.files.content(output_file_id ?? ''))).toMatchObject({ status: 404 })
      expect(await refusedWith(on.own.openai.files.delete(output_file_id ?? ''))).toMatchObject({ status: 404 })
      on.vendor().end(id, 'completed')
      await on.lookAround()
    })
    expectCharge(bill, 45)
  })

  test('sold by the request costs its price for every line', async () => {
    await on.scene.option('RequestPrice', '{"gpt-4o": 0.001}')
    const bill = await on.scene.bill(async () => {
      on.vendor().end(await on.openaiBatch(three), 'completed')
      await on.lookAround()
    })
    expectCharge(bill, 1500)
  })
})
