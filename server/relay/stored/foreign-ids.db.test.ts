import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { type Behaviour, chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const plain = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })
const hello = [{ role: 'user', content: 'hi' }]
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]

const claudeSays: Behaviour = () =>
  Response.json({
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'hi' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  })

const responses = '/v1/responses'
const chats = '/v1/chat/completions'
const messages = '/v1/messages'
const generate = '/v1beta/models/gpt-4o:generateContent'
const named: [what: string, type: number, path: string, body: Record<string, unknown>, says: RegExp][] = [
  [
    'caches of Google asked for in the form of OpenAI',
    1,
    chats,
    { extra_body: { google: { cached_content: 'cachedContents/c9' } } },
    /cachedContents.c9/,
  ],
  ['prompts', 1, responses, { prompt: { id: 'pmpt_1' } }, /pmpt_1.*prompt/],
  ['escaped prompts', 1, responses, { prompt: { id: 'pmpt_\u0007' } }, /prompt/],
  ['containers of code', 1, responses, { tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }, /cntr_1/],
  [
    'containers of earlier code',
    1,
    responses,
    { input: [{ type: 'code_interpreter_call', id: 'ci_1', container_id: 'cntr_1', code: 'x', status: 'completed' }] },
    /cntr_1/,
  ],
  [
    'containers of shells',
    1,
    responses,
    { tools: [{ type: 'shell', environment: { type: 'container_reference', container_id: 'cntr_1' } }] },
    /cntr_1/,
  ],
  [
    'skills of others',
    1,
    responses,
    {
      tools: [
        {
          type: 'shell',
          environment: { type: 'container_auto', skills: [{ type: 'skill_reference', skill_id: 'skill_1' }] },
        },
      ],
    },
    /skill_1|shell/,
  ],
  ['masks', 1, responses, { tools: [{ type: 'image_generation', input_image_mask: { file_id: 'file-1' } }] }, /file-1/],
  ['pictures by id', 1, responses, { input: [{ type: 'image_generation_call', id: 'ig_1' }] }, /ig_1/],
  ['sound', 1, chats, { messages: [...hello, { role: 'assistant', audio: { id: 'audio_1' } }] }, /audio_1/],
  ['voices', 1, '/v1/audio/speech', { input: 'hi', voice: { id: 'voice_1' } }, /voice_1/],
  [
    'voices of chats',
    1,
    chats,
    { audio: { voice: { id: 'voice_1' }, format: 'wav' }, modalities: ['audio'] },
    /voice_1/,
  ],
  [
    "files of Alibaba's",
    17,
    chats,
    { messages: [{ role: 'system', content: 'fileid://file-fe-1' }, ...hello] },
    /file-fe-1/,
  ],
  ['skills of Claude', 14, messages, { container: { skills: [{ type: 'custom', skill_id: 'skill_1' }] } }, /skill_1/],
  ['containers of Claude', 14, messages, { container: 'container_1' }, /container_1/],
  [
    'stores of Gemini',
    24,
    generate,
    { tools: [{ fileSearch: { fileSearchStoreNames: ['fileSearchStores/1'] } }] },
    /Stores\/1/,
  ],
  [
    'stores in the other spelling',
    24,
    generate,
    { tools: [{ file_search: { file_search_store_names: ['s/1'] } }] },
    /s\/1/,
  ],
  [
    'data stores',
    24,
    generate,
    { tools: [{ retrieval: { vertexAiSearch: { datastore: 'projects/p/dataStores/d' } } }] },
    /no price for the tool retrieval/,
  ],
  [
    'buckets',
    24,
    generate,
    { contents: [{ role: 'user', parts: [{ fileData: { fileUri: 'gs://b/x.pdf', mimeType: 'application/pdf' } }] }] },
    /gs:\/\/b/,
  ],
  [
    'files to embed',
    24,
    '/v1beta/models/gpt-4o:embedContent',
    { content: { parts: [{ fileData: { fileUri: 'files/abc', mimeType: 'image/png' } }] } },
    /files\/abc/,
  ],
  [
    "Google's files under an address of a picture",
    24,
    chats,
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'files/abc' } }] }] },
    /address/,
  ],
]

test.each(named)('%s that the relay did not give out are unknown, and no vendor is asked', async (...row) => {
  const [, type, path, body, says] = row
  const upstream = await scene.channel(plain, { type })
  const base = path === generate || path.includes('embed') ? { contents } : { model: 'gpt-4o', max_tokens: 20 }
  const said = path === responses ? { input: 'hi' } : path === chats || path === messages ? { messages: hello } : {}
  const bill = await scene.bill(async () => {
    const answer = await scene.post(path, { ...base, ...said, ...body })
    expect([400, 403, 404]).toContain(answer.status)
    expect(await answer.text()).toMatch(says)
  })
  expect(bill.user).toBe(0)
  expect(upstream.seen).toHaveLength(0)
})

test.each([
  ' gs://b/x.pdf',
  'files/abc ',
  '/files/abc',
  '//generativelanguage.googleapis.com/v1beta/files/abc',
  'https:generativelanguage.googleapis.com/v1beta/files/abc',
  'https://generativelanguage.googleapis.com./v1beta/files/abc',
  'https://generativelanguage.googleapis.com:443/v1beta/files/abc',
  'https://x@generativelanguage.googleapis.com/v1beta/files/abc',
  'https://generativelanguage.googleapis.com',
])('a file that Google would open for the operator is refused, however it is spelt: %s', async (fileUri) => {
  const upstream = await scene.channel(plain, { type: 24 })
  const parts = [{ text: 'hi' }, { fileData: { fileUri, mimeType: 'application/pdf' } }]
  const bill = await scene.bill(async () => {
    const answer = await scene.post(generate, { contents: [{ role: 'user', parts }] })
    expect([400, 403, 404]).toContain(answer.status)
    await answer.text()
  })
  expect(bill.user).toBe(0)
  expect(upstream.seen).toHaveLength(0)
})

test('a file at a clean address of another host is Google’s to fetch', async () => {
  const upstream = await scene.channel(plain, { type: 24 })
  const fileData = { fileUri: 'https://example.com:8443/a.pdf?x=1', mimeType: 'application/pdf' }
  await (await scene.post(generate, { contents: [{ role: 'user', parts: [{ fileData }] }] })).text()
  expect(upstream.seen[0]?.raw).toContain(fileData.fileUri)
})

test('a vector store of the operator is searched', async () => {
  const upstream = await scene.channel(plain, { type: 1 })
  const tools = [{ type: 'file_search', vector_store_ids: ['vs_1'] }]
  await scene.post(responses, { model: 'gpt-4o', input: 'hi', tools })
  expect(upstream.seen[0]?.body.tools).toEqual(tools)
})

test('a vector store is left out like its tool where the channel cannot search', async () => {
  const upstream = await scene.channel(claudeSays, { type: 14 })
  const tools = [{ type: 'file_search', vector_store_ids: ['vs_1'] }]
  expect((await scene.post(responses, { model: 'gpt-4o', input: 'hi', tools })).status).toBe(200)
  expect(JSON.stringify(upstream.seen)).not.toContain('vs_1')
  expect((await scene.books()).rows[0]?.detail).toContain('file_search')
})

test("the vendors' own skills and voices may be used by everybody", async () => {
  const claude = await scene.channel(claudeSays, { type: 14 })
  const container = { skills: [{ type: 'anthropic', skill_id: 'pptx', version: 'latest' }] }
  expect((await scene.post(messages, { model: 'gpt-4o', max_tokens: 9, messages: hello, container })).status).toBe(200)
  expect(claude.seen[0]?.body.container).toEqual(container)
})
