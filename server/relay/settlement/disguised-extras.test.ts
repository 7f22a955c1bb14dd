import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { parseRoute } from '#server/db/logs/route-record.ts'
import { expectUntouched } from '#server/testing/expect-charge.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const messages = [{ role: 'user', content: 'hi' }]
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
const chat = '/v1/chat/completions'
const claude = 'claude-sonnet-4-5'
const flash = 'gemini-2.5-flash'
const generate = `/v1beta/models/${flash}:generateContent`

test.each([
  ['plugins of a response', 20, '/v1/responses', { model: 'gpt-5', input: 'hi', plugins: [{ id: 'web' }] }],
  ['a search of a response', 20, '/v1/responses', { model: 'gpt-5', input: 'hi', search_parameters: { mode: 'on' } }],
  ['plugins of a message', 14, '/v1/messages', { model: claude, max_tokens: 9, messages, plugins: [{ id: 'web' }] }],
  ['a tool that is no list', 1, chat, { model: 'gpt-5', messages, tools: { type: 'retrieval' } }],
  ['one of Google that is no list', 24, generate, { contents, tools: { googleMaps: {} } }],
  ['a type in capitals', 1, chat, { model: 'gpt-5', messages, tools: [{ type: 'function', Type: 'retrieval' }] }],
  ['tools in capitals', 1, chat, { model: 'gpt-5', messages, Tools: [{ type: 'web_search' }] }],
  ['a tier in capitals', 1, chat, { model: 'gpt-5', messages, Service_Tier: 'priority' }],
  ["another house's search at Google", 24, generate, { contents, tools: [{ parallelAiSearch: {} }] }],
  ['a tier of a summary', 1, '/v1/responses/compact', { model: 'gpt-5', input: 'hi', service_tier: 'golden' }],
  ['speech by another name', 1, '/v1/audio/speech', { model: 'gpt-5', voice: 'x', text: 'hello' }],
  ['speech by two names', 1, '/v1/audio/speech', { model: 'gpt-5', voice: 'x', input: 'h', text: 'hello' }],
  ['speech in pieces', 1, '/v1/audio/speech', { model: 'gpt-5', voice: 'x', input: [{ text: 'hello' }] }],
  ['speech by a name in capitals', 1, '/v1/audio/speech', { model: 'gpt-5', voice: 'x', input: 'h', Input: 'hello' }],
  [
    'speech in words of others in capitals',
    1,
    '/v1/audio/speech',
    { model: 'gpt-5', voice: 'x', input: 'h', Text: 'hi' },
  ],
  ['a size in capitals', 1, '/v1/images/generations', { model: 'gpt-5', prompt: 'a cat', Size: '1792x1024' }],
  ['a quality in capitals', 1, '/v1/images/generations', { model: 'gpt-5', prompt: 'a cat', QUALITY: 'hd' }],
  ['views in capitals', 1, '/v1/images/generations', { model: 'gpt-5', prompt: 'a cat', Partial_Images: 3 }],
  [
    'a limit as text beside another',
    1,
    chat,
    { model: 'gpt-5', messages, max_completion_tokens: 9, max_tokens: '99999' },
  ],
  ['a tier as a number', 24, generate, { contents, serviceTier: 3 }],
])('nobody is asked for %s', async (_, type, path, body) => {
  const channel = await scene.channel(() => Response.json({}), { type, models: `gpt-5,${claude},${flash}` })
  const bill = await scene.bill(async () => expect((await scene.post(path, body)).status).toBe(400))
  expectUntouched(bill)
  expect(channel.seen).toEqual([])
})

test('a search of Google that is no list costs its fee', async () => {
  const grounded = {
    candidates: [
      {
        content: { role: 'model', parts: [{ text: 'hello' }] },
        finishReason: 'STOP',
        groundingMetadata: { webSearchQueries: ['a'] },
      },
    ],
    usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 100, totalTokenCount: 1100 },
  }
  await scene.channel(() => Response.json(grounded), { type: 24, models: flash })
  const listed = await scene.bill(() => scene.post(generate, { contents, tools: [{ google_search: {} }] }))
  const single = await scene.bill(() => scene.post(generate, { contents, tools: { google_search: {} } }))
  expect(single.user).toBe(listed.user)
  const held = await scene.app.ctx.database.db
    .selectFrom('logs')
    .select('route')
    .orderBy('id', 'desc')
    .limit(2)
    .execute()
  const [one, other] = held.map(({ route }) => parseRoute(route).reserve)
  expect(one).toBe(other ?? 0)
})

test.each([-1, 0, '1', 1e9])('%p searches are no limit: as many are held as run', async (max_uses) => {
  const answer = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'hello' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 10, output_tokens: 5 },
  }
  const channel = await scene.channel(() => Response.json(answer), { type: 14, models: claude })
  const heldFor = async (tool: object) => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search', ...tool }]
    await scene.bill(() => scene.post('/v1/messages', { model: claude, max_tokens: 100, messages, tools }))
    const row = scene.app.ctx.database.db.selectFrom('logs').select('route').orderBy('id', 'desc').limit(1)
    return parseRoute((await row.executeTakeFirstOrThrow()).route).reserve
  }
  expect(await heldFor({ max_uses })).toBe(await heldFor({}))
  expect(channel.seen[0]?.body).toMatchObject({ tools: [{ max_uses: 20 }] })
})
