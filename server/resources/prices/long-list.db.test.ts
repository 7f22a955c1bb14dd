import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeJson } from '#server/lib/turns/json-pieces.ts'
import { longestStall } from '#server/testing/longest-stall.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import { pricePage } from './price-rows.ts'
import { applyPreview, previewPrices } from './price-sync.ts'

let app: TestApp
let root: TestClient
beforeAll(async () => {
  app = await startTestApp()
  root = await app.root()
})
afterAll(() => app.stop())

const many = 20_000

/** The quickest of a few, since the machine may be busy. */
async function quickestMs(work: () => Promise<unknown>): Promise<number> {
  let quickest = Number.POSITIVE_INFINITY
  for (let time = 0; time < 5; time += 1) {
    const begun = performance.now()
    await work()
    quickest = Math.min(quickest, performance.now() - begun)
  }
  return quickest
}

test('a list of 20,000 models is adopted, its page is quick, and what it wrote can be saved', async () => {
  const ModelRatio = Object.fromEntries(
    Array.from({ length: many }, (_, at) => [`vendor/a-model-of-a-long-list-${at}`, 1 + at / 1000]),
  )
  const data = { data: { model_ratio: ModelRatio } }
  const preview = await root.call(api.prices.preview, { format: 'one-api', data })
  const models = preview.rows.map(({ model }) => model)
  expect(models.length).toBeGreaterThanOrEqual(many)
  expect(await root.call(api.prices.apply, { id: preview.id, models })).toBeDefined()
  expect(await quickestMs(() => root.call(api.prices.list, {}))).toBeLessThan(300)
  const options = await root.call(api.options.list, {})
  const written = options.find(({ key }) => key === 'ModelRatio')?.value ?? ''
  expect(written.length).toBeGreaterThan(256 * 1024)
  await root.call(api.options.update, { key: 'ModelRatio', value: written.replace(':1,', ':2,') })
}, 60_000)

const actor = { id: 1, username: 'root', role: 100, status: 1, address: '', sessionHash: null }

/** Milliseconds of the processor. */
const stallMost = 100

/** How long each step kept others waiting. */
async function stallsOf(factor: number): Promise<number[]> {
  const ratios = (of: (at: number) => number) =>
    Object.fromEntries(Array.from({ length: many }, (_, at) => [`another/model-of-a-long-list-${at}`, of(at)]))
  const data = {
    model_ratio: ratios((at) => factor * (1 + at / 1000)),
    completion_ratio: ratios((at) => 1 + (at % 7)),
    cache_ratio: ratios(() => 0.1),
  }
  const preview = await longestStall(() => previewPrices(app.ctx, { format: 'one-api', data }))
  const { id, rows } = preview.result
  const answer = await longestStall(() => writeJson({ success: true, data: preview.result }))
  const models = rows.filter(({ change }) => change === 'new' || change === 'changed').map(({ model }) => model)
  expect(models).toHaveLength(many)
  const adoption = await longestStall(() => applyPreview(app.ctx, actor, { id, models }))
  const page = await longestStall(() => pricePage(app.ctx, api.prices.list.input.parse({})))
  return [preview, answer, adoption, page].map(({ stallMs }) => stallMs)
}

test('preview, adoption and the page of a list of 20,000 models give way to others', async () => {
  const [first, second] = [await stallsOf(1), await stallsOf(2)]
  // What the garbage collector does comes once, what the work does each time.
  const stalls = first.map((stall, step) => Math.min(stall, second[step] ?? stall))
  expect(Math.max(...stalls), stalls.join(' ')).toBeLessThan(stallMost)
}, 120_000)
