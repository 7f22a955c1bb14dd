import { afterAll, beforeAll, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { chatAnswer, deltaFrame, errorAnswer, eventStream } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { logsApi } from '#shared/api/logs.ts'
import { usageApi } from '#shared/api/usage.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const month = () => new Date().toISOString().slice(0, 7)

test('requests, retries, failures and what is not logged add up in usage, statement and ledger', async () => {
  const cached = { prompt_tokens: 100, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 40 } }
  const good = await scene.channel(chatAnswer('hello', cached), { priority: 0 })
  const bad = await scene.channel(errorAnswer(500, { message: 'broken', type: 'server_error' }), { priority: 5 })
  await scene.option('RetryTimes', 1)
  for (let at = 0; at < 5; at++) expect((await scene.chat()).status).toBe(200)
  await scene.option('LogConsumeEnabled', false)
  await scene.chat()
  await scene.option('LogConsumeEnabled', true)
  await scene.root.fetch(`/api/channel/${good.id}`, { method: 'DELETE' })
  await scene.chat()

  const ask = () => scene.root.call(usageApi.summary, { scope: 'all' })
  const before = await ask()
  await foldLogs(scene.app.ctx)
  expect(await ask()).toEqual(before)
  const { db } = scene.app.ctx.database
  const entries = await db.selectFrom('ledger_entries').select('amount').where('kind', '=', 'settle').execute()
  const charged = 0 - entries.reduce((sum, { amount }) => sum + amount, 0)
  expect(before.totals).toMatchObject({ requests: 7, failed: 1, quota: charged, cached_tokens: 240, cost_unknown: 0 })

  const paper = await scene.user.call(usageApi.statement, { month: month() })
  expect(paper.charges).toEqual([{ model: 'gpt-4o', token: 'test', quota: charged }])
  expect(paper.closing).toBe((await scene.books()).userQuota)
  expect(paper.opening + paper.topups + paper.grants + paper.transfers - charged).toBe(paper.closing)
  const csv = await (await scene.user.fetch(`/api/usage/statement?month=${month()}&format=csv`)).text()
  expect(csv).toContain(`"charge","gpt-4o","test",-${charged}\r\n`)

  const { list } = await scene.root.call(logsApi.list, { type: 2, pagesize: 50 })
  const retried = list.find(({ outcome }) => outcome === 'done')
  const shown = await scene.root.call(logsApi.request, { request_id: retried?.request_id ?? '' })
  expect(shown.tries).toMatchObject([
    { channel: bad.id, fault: { status: 500, message: 'broken' } },
    { channel: good.id, fault: null },
  ])
  expect(shown.reserve).toBeGreaterThan(0)
})

test('what the operator pays is the public price of the vendor’s model times the channel’s share', async () => {
  await scene.clear()
  const channel = await scene.channel(chatAnswer('hello', { prompt_tokens: 1000, completion_tokens: 100 }), {
    models: 'house-model',
    model_mapping: '{"house-model":"gpt-4o"}',
  })
  await scene.option('ModelRatio', '{"gpt-4o":1,"house-model":50}')
  await scene.root.fetch('/api/channel/', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: channel.id, cost_ratio: 0.333 }),
  })
  await scene.chat({ model: 'house-model' })
  // gpt-4o is 2.50 and 10 dollars a million: 1250 and 500 of quota, times 0.333, rounded to the nearest.
  const [row] = (await scene.root.call(logsApi.list, { model_name: 'house-model' })).list
  expect(row?.cost).toBe(583)
  const asked = { request_id: row?.request_id ?? '' }
  expect(await scene.root.call(logsApi.request, asked)).toMatchObject({ cost_by: 0.333, row: { cost: 583 } })
  expect(JSON.stringify(await scene.user.call(logsApi.request, asked))).not.toContain('cost')
  await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 1 }), { models: 'nobody-knows' })
  await scene.option('ModelRatio', '{"gpt-4o":1,"nobody-knows":3}')
  await scene.chat({ model: 'nobody-knows' })
  const [unknown] = (await scene.root.call(logsApi.list, { model_name: 'nobody-knows' })).list
  expect(unknown?.cost).toBeNull()
})

test.each([
  [0.0025, 1250],
  ['0.0025', 1250],
  [0, 0],
  [-1, null],
  ['nonsense', null],
  [1e300, null],
])('a vendor that reports a cost of %p is taken at its word, if that makes sense', async (reported, cost) => {
  await scene.clear()
  const model = 'openai/gpt-4o'
  const usage = { prompt_tokens: 1000, completion_tokens: 100, cost: reported as number }
  await scene.channel(chatAnswer('hello', usage), { type: 20, models: model })
  const text = await (await scene.chat({ model })).text()
  expect(text).not.toContain('"cost"')
  expect(text).toContain('"prompt_tokens":1000')
  const [row] = (await scene.root.call(logsApi.list, { model_name: model, pagesize: 1 })).list
  expect(row?.cost).toBe(cost)
  const { cost_by } = await scene.root.call(logsApi.request, { request_id: row?.request_id ?? '' })
  expect(cost_by).toBe('reported')
})

test('a stream does not say what it cost the operator either', async () => {
  await scene.clear()
  const model = 'openai/gpt-4o'
  const last = { choices: [], usage: { prompt_tokens: 1000, completion_tokens: 100, cost: 0.002, cost_details: {} } }
  const frames = `${deltaFrame('hello')}data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`
  await scene.channel(eventStream(frames), { type: 20, models: model })
  const asked = { model, stream: true, stream_options: { include_usage: true } }
  const text = await (await scene.chat(asked)).text()
  expect(text).toContain('"completion_tokens":100')
  expect(text).not.toContain('cost')
  const [row] = (await scene.root.call(logsApi.list, { model_name: model, pagesize: 1 })).list
  expect(row?.cost).toBe(1000)
})

test.each([
  ['short', 3],
  ['long', 5000],
])('a %s embedding does not say what it cost the operator either', async (_, numbers) => {
  await scene.clear()
  const model = 'text-embedding-3-small'
  const data = [{ object: 'embedding', index: 0, embedding: new Array(numbers).fill(0.25) }]
  const answer = { object: 'list', model, data, usage: { prompt_tokens: 5, total_tokens: 5, cost: 0.002 } }
  await scene.channel(() => Response.json(answer), { type: 20, models: model })
  const response = await scene.post('/v1/embeddings', { model, input: 'hello' })
  const text = await response.text()
  expect(response.status).toBe(200)
  expect(text).toContain('"total_tokens":5')
  expect(text).not.toContain('"cost"')
})
