import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { parseRoute } from '#server/db/logs/route-record.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { giveId } from '#server/testing/given-id.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(async () => {
  await scene.root.call(api.users.update, { id: scene.userId, quota: 100_000_000 })
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.clear()
})
afterAll(() => scene.stop())

const usage = { prompt_tokens: 10, completion_tokens: 5 }
const ok = chatAnswer('hello', usage)
const balance = (quota: number) => scene.root.call(api.users.update, { id: scene.userId, quota })

/** What was held for a request, as its row remembers. */
async function heldBy(body: Record<string, unknown>, path = '/v1/chat/completions'): Promise<number> {
  const channel = await scene.channel(ok)
  await giveId(scene, 'file', 'file-1', channel.id)
  await giveId(scene, 'response', 'resp_1', channel.id)
  await giveId(scene, 'cache', 'cachedContents/c1', channel.id)
  await (await scene.post(path, { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...body })).text()
  const { route } = await scene.app.ctx.database.db
    .selectFrom('logs')
    .select('route')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return parseRoute(route).reserve
}

const part = (content: object) => ({ messages: [{ role: 'user', content: [content] }] })
const picture = (url: string) => part({ type: 'image_url', image_url: { url } })

describe('what is held', () => {
  test.each([
    ['a picture by address', picture('https://pictures.example/a.png')],
    ['a file by id', part({ type: 'file', file: { file_id: 'file-1' } })],
    ['a PDF', part({ type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA' } })],
    ['a cache of Google', { extra_body: { google: { cached_content: 'cachedContents/c1' } } }],
    ['a cache of Google in its other spelling', { extra_body: { google: { cachedContent: 'cachedContents/c1' } } }],
    ['code that Alibaba runs for Qwen', { enable_code_interpreter: true, stream: true }],
    ["pages of somebody's own search", { data_sources: [{ type: 'azure_search' }] }],
    ['a PDF named like a picture', picture('data:application/pdf;name=image.png;base64,AAAA')],
    ['a film in MPEG', picture('data:video/mpeg;base64,AAAA')],
    ['a film in Ogg', picture('data:video/ogg;base64,AAAA')],
    ['an address behind a space', picture(' https://pictures.example/a.png')],
    ['an address with a tab in it', picture('ht\ttps://pictures.example/a.png')],
    ['an address behind many spaces', picture(`${' '.repeat(500)}https://pictures.example/a.png`)],
    ['an address with many breaks in it', picture(`h${'\n'.repeat(500)}ttps://pictures.example/a.png`)],
    ['a film as its frames', part({ type: 'video', video: ['https://films.example/1.png'] })],
    [
      'a document by address, in the words of Mistral',
      part({ type: 'document_url', document_url: 'https://a.example/a.pdf' }),
    ],
    [
      'a recording by address, in the words of Mistral',
      part({ type: 'input_audio', input_audio: 'https://a.example/a' }),
    ],
    [
      'a recording by address in the place of its bytes',
      part({ type: 'input_audio', input_audio: { data: 'https://a.example/a.mp3', format: 'mp3' } }),
    ],
    ['a film its vendor keeps', part({ type: 'video_url', video_url: { url: 'ms://file-1' } })],
    ['a file named like a picture', part({ type: 'file', file: { file_data: 'AAAA', filename: 'a.png' } })],
    ['a recording by address', part({ type: 'audio_url', audio_url: 'https://sounds.example/a.mp3' })],
  ])('for %s is all the model can read', async (_, body) => {
    // 128,000 in and 100 out at 4
    expect(await heldBy({ ...body, max_tokens: 100 })).toBe(128_400)
  })

  test('for state the vendor keeps is all the model can read', async () => {
    const held = await heldBy(
      { input: 'go on', previous_response_id: 'resp_1', max_output_tokens: 100, messages: undefined },
      '/v1/responses',
    )
    expect(held).toBe(128_400)
  })

  test('for a file of a request that calls itself the call of a tool is all the model can read', async () => {
    const input = [{ role: 'user', content: [{ type: 'input_file', file_url: 'https://files.example/a.pdf' }] }]
    const body = { type: 'tool_use', input, max_output_tokens: 100, messages: undefined }
    expect(await heldBy(body, '/v1/responses')).toBe(128_400)
  })

  test.each([
    ['messages', { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }],
    ['messages', { context_management: { edits: [{ type: 'compact_20260112' }] } }],
    ['messages', { mcp_servers: [{ type: 'url', name: 'x', url: 'https://tools.example' }] }],
    ['responses', { input: 'hi', messages: undefined, tools: [{ type: 'mcp', server_label: 'x', connector_id: 'y' }] }],
  ])('for a tool that costs nothing and reads at the vendor is all the model can read (%s)', async (door, body) => {
    expect(await heldBy({ ...body, max_tokens: 100, max_output_tokens: 100 }, `/v1/${door}`)).toBe(128_400)
  })

  test('for a tool of Gemini that reads at the vendor is all the model can read', async () => {
    const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }], generationConfig: { maxOutputTokens: 100 } }
    for (const tool of [{ urlContext: {} }, { code_execution: {} }])
      expect(await heldBy({ ...body, tools: [tool] }, '/v1beta/models/gpt-4o:generateContent')).toBe(128_400)
  })

  test('for an answer of Gemini that goes on is all the model can read', async () => {
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
    const body = { contents, generationConfig: { maxOutputTokens: 100 }, continuationToken: 'AAAA' }
    expect(await heldBy(body, '/v1beta/models/gpt-4o:generateContent')).toBe(128_400)
  })

  test('for a film that a cache is made of is all the model can read, kept for an hour', async () => {
    const parts = [{ fileData: { fileUri: 'https://films.example/a.mp4', mimeType: 'video/mp4' } }]
    const cached = () => Response.json({ name: 'cachedContents/c2', usageMetadata: { totalTokenCount: 100_000 } })
    await scene.channel(cached, { type: 24 })
    const body = { model: 'models/gpt-4o', contents: [{ role: 'user', parts }], ttl: '3600s' }
    await balance(20_000)
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await scene.post('/v1beta/cachedContents', body)).status),
    )
    expect(statuses.toSorted()).toEqual([200, 402, 402])
    await balance(100_000_000)
    // 128,000 in, read once and kept at four times the price
    expect(await heldBy(body, '/v1beta/cachedContents')).toBe(640_000)
  })

  test('for pictures by address beside other prompts than those of conversations is all the model can read', async () => {
    const input = [{ type: 'image_url', image_url: { url: 'https://pictures.example/a.png' } }]
    expect(await heldBy({ input, messages: undefined }, '/v1/embeddings')).toBe(128_000)
  })

  test('for a picture on a small balance is all of it: one runs at a time', async () => {
    await balance(20_000)
    const gate = Promise.withResolvers<void>()
    const channel = await scene.channel(async (seen) => {
      await gate.promise
      return ok(seen)
    })
    const body = picture('https://pictures.example/a.png')
    const answers = Array.from({ length: 20 }, () => scene.chat(body))
    const statuses: number[] = []
    for (const answer of answers) void answer.then(({ status }) => statuses.push(status))
    while (statuses.length < 19) await Bun.sleep(5)
    gate.resolve()
    await Promise.all(answers)
    expect(statuses.toSorted()).toEqual([200, ...new Array<number>(19).fill(402)])
    expect(channel.seen).toHaveLength(1)
  })

  test('covers every prompt of a list, each as often as it is to be answered', async () => {
    const four = await heldBy({ prompt: ['a', 'a'], n: 2, max_tokens: 100, messages: undefined }, '/v1/completions')
    expect(four).toBeGreaterThanOrEqual(4 * 400)
  })

  test('covers a prompt that may be written to a cache for an hour', async () => {
    const words = 'word '.repeat(200)
    const block = (more: object) => ({
      messages: [{ role: 'user', content: [{ type: 'text', text: words, ...more }] }],
    })
    const plain = await heldBy({ ...block({}), max_tokens: 100 })
    const cached = await heldBy({ ...block({ cache_control: { type: 'ephemeral' } }), max_tokens: 100 })
    expect(cached - 400).toBeGreaterThanOrEqual(2 * (plain - 400))
  })

  test('is the price of the dearest channel, not of the first', async () => {
    await scene.option('ModelRatio', '{"gpt-4o": 1, "cheap": 1, "dear": 100}')
    await scene.option('CompletionRatio', '{"gpt-4o": 4, "cheap": 1, "dear": 1}')
    await scene.channel(ok, { models: 'mine', model_mapping: '{"mine":"cheap"}', priority: 9 })
    await scene.channel(ok, { models: 'mine', model_mapping: '{"mine":"dear"}' })
    await balance(50_000)
    const response = await scene.chat({ model: 'mine', max_tokens: 1000 })
    expect(response.status).toBe(402)
  })
})

describe('the answer', () => {
  const limitOf = async (body: Record<string, unknown>, quota: number, more = {}) => {
    const channel = await scene.channel(ok, more)
    await balance(quota)
    const response = await scene.chat(body)
    const seen = channel.seen[0]?.body
    return { status: response.status, text: await response.text(), limit: seen?.max_tokens, body: seen }
  }

  test('is given no limit when the hold pays the longest the model gives', async () => {
    expect((await limitOf({}, 1_000_000)).limit).toBeUndefined()
  })

  test('is given a limit the hold can pay when the balance is below that', async () => {
    // 9 tokens in and a margin of 129, 4 each out
    expect((await limitOf({}, 8138)).limit).toBe(2000)
  })

  test("keeps a client's own lower limit", async () => {
    expect((await limitOf({ max_tokens: 100 }, 8009)).limit).toBe(100)
  })

  test("has a client's limit lowered to what the balance pays", async () => {
    const { status, limit } = await limitOf({ max_tokens: 16_000 }, 8142)
    expect([status, limit]).toEqual([200, 2000])
  })

  test.each([[{ max_tokens: 5, max_completion_tokens: 0 }], [{ max_tokens: 0, max_completion_tokens: 5 }]])(
    'may be as long as can be paid where one of two limits is none: %j',
    async (limits) => {
      const { body } = await limitOf(limits, 8142)
      expect([body?.max_tokens, body?.max_completion_tokens].toSorted()).toEqual([1998, 5])
    },
  )

  test('has a limit above what the model knows lowered to that', async () => {
    expect((await limitOf({ max_tokens: 64_000 }, 1_000_000)).limit).toBe(16_384)
  })

  test('is refused when less than a short one can be paid, saying what is left and what is needed at least', async () => {
    const { status, text } = await limitOf({ max_tokens: 64_000 }, 4000)
    expect(status).toBe(402)
    expect(text).toContain('$0.008000 left, at least $0.008218 needed')
  })

  test('is not refused when the client wants it shorter than that', async () => {
    expect((await limitOf({ max_tokens: 100 }, 600)).status).toBe(200)
  })

  test('of a model nobody described is given what is held for it', async () => {
    await scene.option('ModelRatio', '{"gpt-4o": 1, "own-model": 1}')
    expect((await limitOf({ model: 'own-model' }, 1_000_000, { models: 'own-model' })).limit).toBe(4096)
  })

  test.each([
    ['/v1/responses', { input: 'hi' }, { type: 1 }, (body: Record<string, unknown>) => body.max_output_tokens],
    [
      '/v1/messages',
      { messages: [{ role: 'user', content: 'hi' }], max_tokens: 64_000 },
      { type: 14 },
      (body) => body.max_tokens,
    ],
    [
      '/v1beta/models/gpt-4o:generateContent',
      { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
      { type: 24 },
      (body) => (body.generationConfig as { maxOutputTokens?: number } | undefined)?.maxOutputTokens,
    ],
  ] as [string, object, object, (body: Record<string, unknown>) => unknown][])(
    'is bounded in the words of %s',
    async (path, body, more, read) => {
      const channel = await scene.channel(ok, more)
      await balance(8230)
      await scene.post(path, { ...(path.includes('gpt-4o') ? {} : { model: 'gpt-4o' }), ...body })
      const sentLimit = Number(read(channel.seen[0]?.body ?? {}))
      expect(sentLimit).toBeGreaterThanOrEqual(1990)
      expect(sentLimit).toBeLessThanOrEqual(2025)
    },
  )

  test.each([
    ['in two spellings', { generationConfig: { maxOutputTokens: 5, max_output_tokens: 16_000 } }],
    ['in two places', { generationConfig: { maxOutputTokens: 5 }, generation_config: { max_output_tokens: 16_000 } }],
  ])('is bounded where its limit is given %s, whichever its vendor reads', async (_, config) => {
    const channel = await scene.channel(ok, { type: 24 })
    await balance(8230)
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
    await scene.post('/v1beta/models/gpt-4o:generateContent', { contents, ...config })
    const sent = JSON.stringify(channel.seen[0]?.body)
    expect(sent).toContain('"maxOutputTokens":5')
    expect(Number(/"max_output_tokens":(\d+)/.exec(sent)?.[1])).toBeLessThanOrEqual(2025)
    const odd = { generationConfig: { maxOutputTokens: 5, max_output_tokens: '16000' } }
    expect((await scene.post('/v1beta/models/gpt-4o:generateContent', { contents, ...odd })).status).toBe(400)
  })

  test("of Claude without a limit may be as long as the model's longest", async () => {
    await scene.option('ModelRatio', '{"claude-sonnet-4-5": 1.5}')
    const channel = await scene.channel(ok, { type: 14, models: 'claude-sonnet-4-5' })
    await scene.chat({ model: 'claude-sonnet-4-5' })
    expect(channel.seen[0]?.body.max_tokens).toBe(64_000)
  })

  test('of Claude with a limit beyond a fresh balance is bounded, its thinking too', async () => {
    await scene.option('ModelRatio', '{"claude-sonnet-4-5": 1.5}')
    const channel = await scene.channel(ok, { type: 14, models: 'claude-sonnet-4-5' })
    await balance(75_000)
    await scene.post('/v1/messages', {
      model: 'claude-sonnet-4-5',
      max_tokens: 64_000,
      thinking: { type: 'enabled', budget_tokens: 32_000 },
      messages: [{ role: 'user', content: 'hi' }],
    })
    const { max_tokens, thinking } = (channel.seen[0]?.body ?? {}) as {
      max_tokens: number
      thinking: { budget_tokens: number }
    }
    expect(max_tokens).toBeGreaterThan(9900)
    expect(max_tokens).toBeLessThanOrEqual(10_000)
    expect(thinking.budget_tokens).toBeLessThan(max_tokens)
  })
})
