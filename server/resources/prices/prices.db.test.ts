import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { readModelsDev } from '#server/billing/price-sync/models-dev.ts'
import { eventually } from '#server/testing/eventually.ts'
import { expectCharge } from '#server/testing/expect-charge.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 1_000_000_000, tokenQuota: 1_000_000_000 })
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const usage = { prompt_tokens: 10, completion_tokens: 5 }
const options = async () =>
  Object.fromEntries((await scene.root.call(api.options.list, {})).map(({ key, value }) => [key, value]))
const ratio = async (key: string, model: string) => JSON.parse((await options())[key] ?? '{}')[model]
const priceOf = async (model: string) => {
  const { list } = await scene.root.call(api.prices.list, { keyword: model, pagesize: 100 })
  return list.find((row) => row.model === model)
}
const set = (body: Record<string, unknown>) => scene.root.raw(api.prices.set, body as never)

describe('a price', () => {
  test('is written into the ratios and shown as it was typed', async () => {
    const cases = [
      { input_usd: 3, output_usd: 10, cache_read_usd: 0.1, cache_write_usd: 3.75 },
      { input_usd: 0.07, output_usd: 0.123456789, cache_read_usd: 0.000000001 },
      { input_usd: 75, output_usd: 150.1 },
      { input_usd: 0, output_usd: 0 },
      { input_usd: 2.5 },
    ]
    for (const [at, price] of cases.entries()) {
      const row = await scene.root.call(api.prices.set, { model: `typed-${at}`, ...price })
      expect(row).toMatchObject({ model: `typed-${at}`, unit: 'token', source: 'own', list: null, ...price })
      expect(await priceOf(`typed-${at}`)).toEqual(row)
    }
    expect(await ratio('ModelRatio', 'typed-0')).toBe(1.5)
    expect(await ratio('CompletionRatio', 'typed-0')).toBe(3.333333333333)
    expect(await ratio('CompletionRatio', 'typed-4')).toBeUndefined()
  })

  test('that does not come out even is charged exactly', async () => {
    await scene.root.call(api.prices.set, { model: 'uneven', input_usd: 3, output_usd: 20 })
    await scene.channel(chatAnswer('hello', { prompt_tokens: 1000, completion_tokens: 100_000 }), { models: 'uneven' })
    expectCharge(await scene.bill(() => scene.chat({ model: 'uneven', max_tokens: 1000 })), 1_001_500)
  })

  test('per request is charged whatever is used, with the ratio of the group, and takes the place of ratios', async () => {
    await scene.root.call(api.prices.set, { model: 'flat', input_usd: 1, output_usd: 2 })
    const row = await scene.root.call(api.prices.set, { model: 'flat', per_request_usd: 0.000301 })
    expect(row).toMatchObject({ unit: 'request', source: 'own', input_usd: 0.000301, output_usd: null })
    expect(await ratio('ModelRatio', 'flat')).toBeUndefined()
    expect(await ratio('RequestPrice', 'flat')).toBe(0.000301)
    await scene.option('GroupRatio', '{"default":1.5}')
    await scene.channel(chatAnswer('hello', usage), { models: 'flat' })
    const bill = await scene.bill(() => scene.chat({ model: 'flat' }))
    expectCharge(bill, 226)
    expect(bill.rows[0]?.content).toContain('1 requests at 150.5 each')
    await scene.root.call(api.prices.set, { model: 'flat', input_usd: 1 })
    expect(await ratio('RequestPrice', 'flat')).toBeUndefined()
  })

  test('of a picture, a second or a million characters is typed in that unit; sizes of pictures move with it', async () => {
    const listed = await priceOf('dall-e-3')
    expect(listed).toMatchObject({ unit: 'picture', input_usd: 0.04 })
    expect(listed?.pictures[0]).toEqual({ kind: 'standard/1024x1024', usd: 0.04 })
    const typed = { 'dall-e-3': 0.06, 'tts-1': 22.5, 'whisper-1': 0.00013 }
    for (const [model, each_usd] of Object.entries(typed)) {
      const row = await scene.root.call(api.prices.set, { model, each_usd })
      expect(row).toMatchObject({ source: 'own', input_usd: each_usd, output_usd: null })
    }
    const dearer = await priceOf('dall-e-3')
    expect(dearer?.pictures.map(({ usd }) => usd)).toEqual(
      listed?.pictures.map(({ usd }) => Number((usd * 1.5).toFixed(9))) ?? [],
    )
    for (const model of Object.keys(typed)) await scene.root.call(api.prices.remove, { model })
    expect(await priceOf('dall-e-3')).toEqual(listed)
    expect((await set({ model: 'gpt-4o', each_usd: 1 })).message).toContain('not sold by the picture')
    expect((await set({ model: 'dall-e-3', each_usd: 1, per_request_usd: 1 })).message).toContain('not by both')
  })

  test('that nobody set: its row says who carries the model and how many requests were refused in 24 hours', async () => {
    await scene.channel(chatAnswer('hello', usage), { models: 'house-model', name: 'paris' })
    for (let asked = 0; asked < 3; asked += 1) expect((await scene.chat({ model: 'house-model' })).status).toBe(403)
    const row = await eventually(
      () => priceOf('house-model'),
      (found) => found?.refused === 3,
    )
    expect(row).toMatchObject({ source: 'none', carriers: ['paris'], channels: 1, refused: 3 })
    expect(await priceOf('gpt-4o')).toMatchObject({ refused: 0 })
    await scene.root.call(api.prices.set, { model: 'house-model', input_usd: 1 })
    expect(await priceOf('house-model')).toMatchObject({ source: 'own', refused: 0 })
    await scene.root.call(api.prices.remove, { model: 'house-model' })
  })

  test('goes back to the list, and an undo brings it back', async () => {
    const before = await priceOf('gpt-4o-mini')
    expect(before).toMatchObject({ source: 'list', input_usd: 0.15, output_usd: 0.6, cache_read_usd: 0.075 })
    await scene.root.call(api.prices.set, { model: 'gpt-4o-mini', input_usd: 1, output_usd: 3 })
    const own = await priceOf('gpt-4o-mini')
    expect(own).toMatchObject({ source: 'own', input_usd: 1, output_usd: 3, list: { input_usd: 0.15 } })
    await scene.root.call(api.prices.remove, { model: 'gpt-4o-mini' })
    expect(await priceOf('gpt-4o-mini')).toEqual(before)
    expect((await scene.root.raw(api.prices.remove, { model: 'gpt-4o-mini' })).code).toBe('price.not_own')
    const { list } = await scene.root.call(api.history.list, { kind: 'price', pagesize: 1 })
    expect(list[0]).toMatchObject({ target: 'gpt-4o-mini', undoable: true })
    await scene.root.call(api.history.undo, { id: list[0]?.id ?? 0 })
    expect(await priceOf('gpt-4o-mini')).toEqual(own)
    await scene.root.call(api.prices.remove, { model: 'gpt-4o-mini' })
  })

  test('of a model with a name like a path can be set and removed', async () => {
    await scene.root.call(api.prices.set, { model: 'maker/model:free', input_usd: 1 })
    await scene.root.call(api.prices.remove, { model: 'maker/model:free' })
    expect(await priceOf('maker/model:free')).toBeUndefined()
  })

  test('that is missing shows on top, with the channels that carry the model', async () => {
    await scene.channel(chatAnswer('hello', usage), { models: 'nobody-knows,gpt-4o' })
    const { list } = await scene.root.call(api.prices.list, {})
    expect(list[0]).toMatchObject({ model: 'nobody-knows', source: 'none', channels: 1, input_usd: null })
    expect((await scene.root.call(api.prices.list, { source: 'none' })).list.map(({ model }) => model)).toEqual([
      'nobody-knows',
    ])
    expect(await priceOf('gpt-4o')).toMatchObject({ channels: 1, cost_usd: { min: 2.5, max: 2.5 } })
  })

  test.each([
    ['no price', { model: 'x' }, 'please fill in the price'],
    ['an output alone', { model: 'x', output_usd: 1 }, 'please fill in the price'],
    ['both kinds', { model: 'x', input_usd: 1, per_request_usd: 1 }, 'not by both'],
    ['a free input with a paid output', { model: 'x', input_usd: 0, output_usd: 1 }, 'a free input'],
    ['a negative price', { model: 'x', input_usd: -1 }, 'from 0 to'],
    ['ten decimals', { model: 'x', input_usd: 0.1234567891 }, 'at most 9 digits'],
    ['prices too far apart', { model: 'x', input_usd: 1_000_000, output_usd: 0.000000001 }, 'too far apart'],
    ['a ratio no option takes', { model: 'x', input_usd: 0.000000001, output_usd: 1_000_000 }, 'too far apart'],
    ['no model', { model: ' ', input_usd: 1 }, 'please name the model'],
  ])('with %s is refused', async (_, body, message) => {
    const before = await options()
    expect((await set(body)).message).toContain(message)
    expect(await options()).toEqual(before)
  })
})

test('prices that several administrators set at one moment are all kept', async () => {
  const models = Array.from({ length: 12 }, (_, at) => `together-${at}`)
  await Promise.all(models.map((model, at) => set({ model, input_usd: at + 1, output_usd: 2 * at + 2 })))
  for (const [at, model] of models.entries()) expect(await priceOf(model)).toMatchObject({ input_usd: at + 1 })
  await Promise.all(models.map((model) => scene.root.call(api.prices.remove, { model })))
  for (const model of models) expect(await ratio('ModelRatio', model)).toBeUndefined()
})

describe('a price list', () => {
  const preview = (format: string, data: unknown) =>
    scene.root.raw(api.prices.preview, { format: format as never, data })
  const rowsOf = async (format: string, data: unknown) => (await preview(format, data)).data?.rows ?? []

  test('of 2,500 models synced, edited, exported and synced again shows no difference', async () => {
    const data = Object.fromEntries(
      Array.from({ length: 2500 }, (_, at) => [
        `synced-${at}`,
        {
          mode: 'chat',
          input_cost_per_token: (at % 97) * 1.37e-7 + 1e-9,
          output_cost_per_token: (at % 89) * 3.3e-7,
          ...(at % 2 ? { cache_read_input_token_cost: (at % 53) * 1.1e-8 } : {}),
        },
      ]),
    )
    const first = await scene.root.call(api.prices.preview, { format: 'litellm', data })
    const news = first.rows.filter(({ change }) => change === 'new')
    expect(news).toHaveLength(2500)
    const models = news.map(({ model }) => model)
    expect(await scene.root.call(api.prices.apply, { id: first.id, models })).toBe(2500)
    expect((await rowsOf('litellm', data)).filter(({ change }) => change !== 'same' && change !== 'gone')).toEqual([])

    await scene.root.call(api.prices.set, { model: 'synced-7', input_usd: 3, output_usd: 7 })
    await scene.channel(chatAnswer('hello', usage), { models: 'synced-7' })
    const charged = await scene.bill(() => scene.chat({ model: 'synced-7' }))
    const { ModelRatio, CompletionRatio, CacheRatio, CacheWriteRatio, RequestPrice } = await options()
    const exported = {
      data: {
        model_ratio: JSON.parse(ModelRatio ?? ''),
        completion_ratio: JSON.parse(CompletionRatio ?? ''),
        cache_ratio: JSON.parse(CacheRatio ?? ''),
        create_cache_ratio: JSON.parse(CacheWriteRatio ?? ''),
        model_price: JSON.parse(RequestPrice ?? ''),
      },
    }
    const again = await rowsOf('one-api', exported)
    expect(again.filter(({ change }) => change !== 'same')).toEqual([])
    const { id } = await scene.root.call(api.prices.preview, { format: 'one-api', data: exported })
    await scene.root.call(api.prices.apply, { id, models: again.map(({ model }) => model) })
    expect(await options()).toMatchObject({ ModelRatio, CompletionRatio, CacheRatio })
    const later = await scene.bill(() => scene.chat({ model: 'synced-7' }))
    expect(later.user).toBe(charged.user)

    const { list } = await scene.root.call(api.history.list, { kind: 'price', pagesize: 100 })
    const synced = list.find((entry) => entry.time > 0 && !entry.undone_by && entry.undoable && entry.before === null)
    expect(synced).toBeDefined()
  }, 60_000)

  test('in each format is compared with what models cost', async () => {
    const own = await scene.root.call(api.prices.set, { model: 'only-here', input_usd: 1 })
    expect(own.source).toBe('own')
    const openrouter = {
      data: [
        {
          id: 'gpt-4o-mini',
          pricing: { prompt: '0.00000015', completion: '0.0000006', input_cache_read: '0.000000075' },
        },
        { id: 'dearer', pricing: { prompt: '0.000002', completion: '0.00001' } },
        { id: 'router', pricing: { prompt: '-1', completion: '-1' } },
      ],
    }
    const rows = await rowsOf('openrouter', openrouter)
    const byModel = new Map(rows.map((row) => [row.model, row]))
    expect(byModel.get('gpt-4o-mini')).toMatchObject({ change: 'same', percent: 0 })
    expect(byModel.get('dearer')).toMatchObject({ change: 'new', old: null, percent: null })
    expect(byModel.has('router')).toBe(false)
    expect(byModel.get('only-here')).toMatchObject({ change: 'gone', new: null, old: { input_usd: 1 } })
    const pricing = [
      { model_name: 'gpt-4o-mini', quota_type: 0, model_ratio: 0.15, completion_ratio: 4 },
      { model_name: 'by-request', quota_type: 1, model_price: 0.02 },
    ]
    const oneApi = new Map((await rowsOf('one-api', { data: pricing })).map((row) => [row.model, row]))
    expect(oneApi.get('gpt-4o-mini')).toMatchObject({ change: 'changed', percent: 100, new: { input_usd: 0.3 } })
    expect(oneApi.get('by-request')).toMatchObject({ change: 'new', new: { per_request_usd: 0.02, input_usd: null } })
    const { id } = await scene.root.call(api.prices.preview, { format: 'openrouter', data: openrouter })
    await scene.root.call(api.prices.apply, { id, models: ['only-here', 'dearer'] })
    expect(await priceOf('only-here')).toBeUndefined()
    expect(await priceOf('dearer')).toMatchObject({ input_usd: 2, output_usd: 10 })
    const { list } = await scene.root.call(api.history.list, { kind: 'price', pagesize: 1 })
    await scene.root.call(api.history.undo, { id: list[0]?.id ?? 0 })
    expect(await priceOf('only-here')).toMatchObject({ input_usd: 1 })
    expect(await priceOf('dearer')).toBeUndefined()
  })

  test('of models.dev is read from the maker of a model, never from a subscription', async () => {
    const sold = (input: number, output: number) => ({ cost: { input, output } })
    const table = await readModelsDev({
      'a-reseller': { models: { 'claude-x': sold(9, 9), other: sold(1, 2) } },
      anthropic: { models: { 'claude-x': sold(3, 15) } },
      'github-copilot': { models: { 'claude-x': sold(0, 0), 'copilot-only': sold(0, 0) } },
      'zai-coding-plan': { models: { 'glm-9': sold(0, 0) } },
      'b-reseller': { models: { 'free-there': sold(0, 0) } },
    })
    expect(table.get('claude-x')).toMatchObject({ input_usd: 3, output_usd: 15 })
    expect([...table.keys()].toSorted()).toEqual(['claude-x', 'other'])
  })

  test.each([
    ['nonsense', 'litellm', 'hello'],
    ['another format', 'openrouter', { 'gpt-4o': { input_cost_per_token: 1e-6 } }],
    ['nothing', 'models.dev', {}],
    ['a list of numbers', 'one-api', [1, 2, 3]],
  ])('that is %s is refused', async (_, format, data) => {
    const before = await options()
    expect((await preview(format, data)).message).toContain('there are no prices in the format')
    expect(await options()).toEqual(before)
  })

  test('that is too large, of a guarded address, of no address or given twice is refused', async () => {
    const body = JSON.stringify({ format: 'litellm', data: { x: 'y'.repeat(50 * 1024 * 1024) } })
    const large = await scene.root.fetch('/api/price/preview', { method: 'POST', body }).catch(() => null)
    expect(large?.status ?? 413).toBe(413)
    const inner = await scene.root.raw(api.prices.preview, { format: 'litellm', url: scene.app.url })
    expect(inner.message).toContain('not on the public internet')
    expect((await scene.root.raw(api.prices.preview, { format: 'one-api' })).message).toContain('address of the list')
    const both = { format: 'litellm', url: 'https://list.example/prices.json', data: {} } as const
    expect(await scene.root.raw(api.prices.preview, both)).toMatchObject({
      success: false,
      field: 'url',
      message: expect.stringContaining('not both'),
    })
  })

  test('is applied as a whole or not at all', async () => {
    const { id } = await scene.root.call(api.prices.preview, {
      format: 'one-api',
      data: { data: { model_ratio: { 'apply-a': 1, 'apply-b': 2 } } },
    })
    const before = await options()
    const wrong = await scene.root.raw(api.prices.apply, { id, models: ['apply-a', 'apply-c'] })
    expect(wrong.message).toContain('apply-c is not in the preview')
    expect((await scene.root.raw(api.prices.apply, { id: '1-nope', models: ['apply-a'] })).code).toBe(
      'price.preview_gone',
    )
    expect(await options()).toEqual(before)
  })
})

test('prices are for administrators', async () => {
  expect((await scene.user.raw(api.prices.list, {})).status).toBe(403)
  expect((await scene.user.raw(api.prices.set, { model: 'x', input_usd: 1 })).status).toBe(403)
})
