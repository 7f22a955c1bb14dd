import { describe, expect, test } from 'bun:test'
import { GoogleGenAI } from '@google/genai'
import { type BatchScene, onBatchScene, refusedWith } from '#server/testing/batch-scene.ts'
import { expectCharge, expectFree, expectUntouched } from '#server/testing/expect-charge.ts'

let on: BatchScene
onBatchScene((started) => {
  on = started
})

const request = (custom_id: string, model = 'gpt-4o', max_tokens = 20) => ({
  custom_id,
  params: { model, max_tokens, messages: [{ role: 'user' as const, content: 'hi' }] },
})

describe('a batch of Anthropic', () => {
  test('is made, followed, fetched and deleted, and costs half the price of what succeeded', async () => {
    const { batches } = on.own.anthropic.messages
    const bill = await on.scene.bill(async () => {
      const { id } = await batches.create({ requests: [request('a'), request('b')] })
      expect((await batches.list()).data.map((batch) => batch.id)).toEqual([id])
      expect(await batches.retrieve(id)).toMatchObject({ processing_status: 'in_progress', results_url: null })
      expect(await refusedWith(batches.delete(id))).toMatchObject({ status: 400 })
      on.vendor().end(id, 'errored')
      const ended = await batches.retrieve(id)
      expect(ended.results_url).toBe(`${on.scene.app.url}/v1/messages/batches/${id}/results`)
      const results = []
      for await (const result of await batches.results(id)) results.push(result.custom_id)
      expect(results).toEqual(['a', 'b'])
      await batches.delete(id)
      const gone = { status: 404, message: expect.stringContaining(`"batch: ${id} is not known here`) }
      expect(await refusedWith(batches.retrieve(id))).toMatchObject(gone)
    })
    expectCharge(bill, 30, { prompt_tokens: 20, completion_tokens: 10 })
  })

  test('of several models has a row for each, at its own price', async () => {
    const { batches } = on.own.anthropic.messages
    const bill = await on.scene.bill(async () => {
      const requests = [request('a'), request('b', 'claude-sonnet-4-5'), request('c', 'claude-sonnet-4-5')]
      const { id } = await batches.create({ requests })
      on.vendor().end(id, 'errored')
      await on.lookAround()
    })
    expect(bill.holds).toBe(0)
    const rows = bill.rows.map(({ model_name, quota, prompt_tokens }) => ({ model_name, quota, prompt_tokens }))
    // $3 and $15 a million are 1.5 and 7.5: 2 × (10 × 1.5 + 5 × 7.5) ÷ 2 = 52.5
    expect(rows.toSorted((one, other) => one.quota - other.quota)).toEqual([
      { model_name: 'gpt-4o', quota: 15, prompt_tokens: 10 },
      { model_name: 'claude-sonnet-4-5', quota: 53, prompt_tokens: 20 },
    ])
    expect(bill.user).toBe(-68)
  })

  test('that was cancelled costs what succeeded before', async () => {
    const { batches } = on.own.anthropic.messages
    const bill = await on.scene.bill(async () => {
      const { id } = await batches.create({ requests: [request('a'), request('b')] })
      await batches.cancel(id)
      on.vendor().end(id, 'canceled', 1)
      await on.lookAround()
    })
    expectCharge(bill, 15, { outcome: 'cut' })
  })

  test('it cannot pay, or whose model nobody carries, is refused whole', async () => {
    const { batches } = on.own.anthropic.messages
    const bill = await on.scene.bill(async () => {
      const dear = Array.from({ length: 10_000 }, (_, at) => request(`l${at}`, 'claude-sonnet-4-5', 64_000))
      expect(await refusedWith(batches.create({ requests: dear }))).toMatchObject({ status: 402 })
      const two = [request('a'), request('b', 'claude-nobody')]
      expect(await refusedWith(batches.create({ requests: two }))).toMatchObject({ status: 404 })
      const mixed = [request('a', 'gpt-4o', 20), request('b', 'claude-sonnet-4-5', 64_000_000)]
      await on.scene.option('GroupRatio', '{"default": 1000}')
      expect(await refusedWith(batches.create({ requests: mixed }))).toMatchObject({ status: 402 })
    })
    expectUntouched(bill)
    expect(on.vendor().seen).toEqual([])
  })
})

const content = (text: string) => ({ contents: [{ role: 'user', parts: [{ text }] }], config: { maxOutputTokens: 20 } })

describe('a batch of Google', () => {
  test('with its questions in it costs half the price of its answers', async () => {
    const { batches } = on.own.google
    const bill = await on.scene.bill(async () => {
      const { name = '' } = await batches.create({ model: 'gpt-4o', src: [content('hi'), content('ho')] })
      expect(String((await batches.get({ name })).state)).toBe('JOB_STATE_PENDING')
      on.vendor().end(name, 'SUCCEEDED')
      const done = await batches.get({ name })
      expect(String(done.state)).toBe('JOB_STATE_SUCCEEDED')
      expect(done.dest?.inlinedResponses).toHaveLength(2)
      expect((await batches.list()).page.map((batch) => batch.name)).toEqual([name])
      await batches.delete({ name })
      expect(await refusedWith(batches.get({ name }))).toMatchObject({ status: 404 })
    })
    expectCharge(bill, 30, { prompt_tokens: 20, completion_tokens: 10 })
  })

  test('and files are spoken of under v1 too, where OpenAI has things of the same names', async () => {
    const httpOptions = { baseUrl: on.scene.app.url, apiVersion: 'v1' }
    const { batches, files } = new GoogleGenAI({ apiKey: on.scene.key, httpOptions })
    const bill = await on.scene.bill(async () => {
      const file = await files.upload({ file: new Blob(['hello']), config: { mimeType: 'text/plain' } })
      expect((await files.get({ name: file.name ?? '' })).name).toBe(file.name)
      expect((await files.list()).page.map((each) => each.name)).toEqual([file.name])
      await files.delete({ name: file.name ?? '' })
      const { name = '' } = await batches.create({ model: 'gpt-4o', src: [content('hi')] })
      await batches.cancel({ name })
      on.vendor().end(name, 'SUCCEEDED')
      expect(String((await batches.get({ name })).state)).toBe('JOB_STATE_SUCCEEDED')
      expect((await batches.list()).page.map((batch) => batch.name)).toEqual([name])
      await batches.delete({ name })
    })
    expectCharge(bill, 15)
  })

  test('with its questions in a file is paid by the file of its answers, which is its user’s', async () => {
    const bill = await on.scene.bill(async () => {
      const lines = ['a', 'b', 'c'].map((key) => JSON.stringify({ key, request: { contents: content('hi').contents } }))
      const file = await on.own.google.files.upload({
        file: new Blob([lines.join('\n')]),
        config: { mimeType: 'application/jsonl' },
      })
      const { name = '' } = await on.own.google.batches.create({ model: 'gpt-4o', src: file.name ?? '' })
      on.vendor().end(name, 'SUCCEEDED')
      await on.lookAround()
      const answers = (await on.own.google.batches.get({ name })).dest?.fileName ?? ''
      const address = `${on.scene.app.url}/download/v1beta/${answers}:download?alt=media`
      const shown = await fetch(address, { headers: { 'x-goog-api-key': on.scene.key } })
      expect((await shown.text()).split('\n')).toHaveLength(3)
    })
    expectCharge(bill, 45)
  })

  test('that failed is free, that was cancelled costs what was answered', async () => {
    const create = async () =>
      (await on.own.google.batches.create({ model: 'gpt-4o', src: [content('hi')] })).name ?? ''
    const failed = await on.scene.bill(async () => {
      on.vendor().end(await create(), 'FAILED', 0)
      await on.lookAround()
    })
    expectFree(failed, { outcome: 'failed' })
    const cut = await on.scene.bill(async () => {
      const name = await create()
      await on.own.google.batches.cancel({ name })
      on.vendor().end(name, 'CANCELLED', 1)
      await on.lookAround()
    })
    expectCharge(cut, 15, { outcome: 'cut' })
  })

  test('that names two models, or somebody else’s file, is refused', async () => {
    const bill = await on.scene.bill(async () => {
      const ask = (batch: unknown) =>
        on.scene.post(
          '/v1beta/models/gpt-4o:batchGenerateContent',
          { batch },
          { headers: { 'x-goog-api-key': on.scene.key } },
        )
      const other = { model: 'models/gemini-3-pro', contents: content('hi').contents }
      expect((await ask({ inputConfig: { requests: { requests: [{ request: other }] } } })).status).toBe(400)
      expect((await ask({ inputConfig: { fileName: 'files/theirs' } })).status).toBe(404)
      expect((await ask({})).status).toBe(400)
    })
    expectUntouched(bill)
    expect(on.vendor().seen).toEqual([])
  })
})
