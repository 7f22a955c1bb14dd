import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { addresses } from '#server/relay/relay.routes.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
let errors: unknown[][] = []
beforeAll(async () => {
  scene = await startRelayScene()
  const { log } = scene.app.ctx
  spyOn(log, 'error').mockImplementation((...line) => void errors.push(line))
  spyOn(log, 'warn').mockImplementation((...line) => void errors.push(line))
  for (const type of [1, 14, 24])
    await scene.channel(chatAnswer('hello', { prompt_tokens: 5, completion_tokens: 10 }), { type })
})
afterAll(() => scene.stop())

/** Its bytes never reach a database that cannot hold them. */
async function expectUnknown(path: string, init: RequestInit): Promise<void> {
  errors = []
  const answer = await fetch(scene.app.url + path, {
    ...init,
    headers: { authorization: `Bearer ${scene.key}`, ...init.headers },
  })
  const text = await answer.text()
  expect([path, text, [400, 404].includes(answer.status)]).toEqual([path, text, true])
  expect(JSON.parse(text).error).toBeDefined()
  expect(errors).toEqual([])
}

const json = (body: object): RequestInit => ({ method: 'POST', body: JSON.stringify(body) })
const id = 'a\u0000b'
const message = (part: object) => [{ role: 'user', content: [part] }]

const bodies: readonly (readonly [string, string, object])[] = [
  ['a former response', '/v1/responses', { input: 'hi', previous_response_id: `resp_${id}` }],
  ['a conversation', '/v1/responses', { input: 'hi', conversation: `conv_${id}` }],
  ['a conversation by its object', '/v1/responses', { input: 'hi', conversation: { id } }],
  ['an item', '/v1/responses', { input: [{ type: 'item_reference', id }] }],
  ['an item without its type', '/v1/responses', { input: [{ id }] }],
  ['a file', '/v1/responses', { input: message({ type: 'input_file', file_id: id }) }],
  ['a picture', '/v1/responses', { input: message({ type: 'input_image', file_id: id }) }],
  ['a container', '/v1/responses', { input: 'hi', tools: [{ type: 'code_interpreter', container: id }] }],
  ['a file of a chat', '/v1/chat/completions', { messages: message({ type: 'file', file: { file_id: id } }) }],
  ['sound of a chat', '/v1/chat/completions', { messages: [{ role: 'assistant', audio: { id } }] }],
  [
    'a file of Claude',
    '/v1/messages',
    { max_tokens: 5, messages: message({ type: 'document', source: { type: 'file', file_id: id } }) },
  ],
  [
    'a container of Claude',
    '/v1/messages',
    { max_tokens: 5, container: id, messages: message({ type: 'text', text: 'hi' }) },
  ],
  [
    'a thread',
    '/v1/messages',
    {
      max_tokens: 5,
      thread: { type: 'continue', previous_message_id: id },
      messages: message({ type: 'text', text: 'hi' }),
    },
  ],
  [
    'a cache',
    '/v1beta/models/gpt-4o:generateContent',
    { cachedContent: `cachedContents/${id}`, contents: [{ parts: [{ text: 'hi' }] }] },
  ],
  [
    'a file of Google',
    '/v1beta/models/gpt-4o:generateContent',
    { contents: [{ parts: [{ fileData: { fileUri: `files/${id}`, mimeType: 'text/plain' } }] }] },
  ],
  [
    'the file of a batch',
    '/v1/batches',
    { input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' },
  ],
  [
    'the file of a batch of Google',
    '/v1beta/models/gpt-4o:batchGenerateContent',
    { batch: { input_config: { file_name: `files/${id}` } } },
  ],
  ['parts of an upload', '/v1/uploads/upload_1/complete', { part_ids: [id] }],
  ['a model', '/v1/chat/completions', { model: `gpt${id}`, messages: [{ role: 'user', content: 'hi' }] }],
]

describe('an id with a NUL in it is unknown', () => {
  test.each(bodies)('in a body: %s', async (_, path, body) => {
    await expectUnknown(path, json({ model: 'gpt-4o', ...body }))
  })

  test('in the path of every route', async () => {
    const named = addresses.filter(({ path }) => path.replace('{version}', '').includes('{'))
    expect(named.length).toBeGreaterThan(30)
    for (const { method, path } of named) {
      const address = path.replace(/\{(\w+)\}/g, (_, name) => (name === 'version' ? 'v1beta' : 'a%00b'))
      await expectUnknown(address, method === 'POST' ? json({ model: 'gpt-4o', contents: [] }) : { method })
    }
  })

  test('as the place from which a list goes on, which begins anew', async () => {
    for (const path of ['/v1/files', '/v1/batches', '/v1/videos', '/v1beta/files', '/v1/messages/batches'])
      for (const field of ['after', 'after_id', 'before_id', 'pageToken']) {
        errors = []
        const answer = await fetch(`${scene.app.url}${path}?${field}=a%00b&limit=5`, {
          headers: { authorization: `Bearer ${scene.key}` },
        })
        await answer.text()
        expect([path, field, answer.status < 500]).toEqual([path, field, true])
        expect(errors).toEqual([])
      }
  })
})
