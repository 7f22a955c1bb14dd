import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, type SceneChannel, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
let channel: SceneChannel

beforeAll(async () => {
  scene = await startRelayScene()
})
beforeEach(async () => {
  await scene.clear()
  channel = await scene.channel(chatAnswer('hello', { prompt_tokens: 5, completion_tokens: 10 }), {
    models: 'gpt-4o,whisper-1,dall-e-2',
  })
})
afterAll(() => scene.stop())

const nested = (levels: number) => `${'{"properties":{"a":'.repeat(levels)}1${'}}'.repeat(levels)}`

const send = (path: string, body: string) =>
  fetch(scene.app.url + path, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${scene.key}`, 'content-type': 'application/json' },
  })

const chat = (more: string) => `{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}],${more}}`

test('a limit above what is counted is refused with the highest', async () => {
  for (const most of [1_073_741_824, 1e15]) {
    const answer = await send('/v1/chat/completions', chat(`"max_tokens":${most}`))
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('max_tokens must be at most 1073741823.')
  }
})

describe('a body of more values than anybody needs', () => {
  const names = Array.from({ length: 100_000 }, (_, at) => `"name${at}":1`)
  const many = (value: string) => `[${`${value},`.repeat(600_000)}${value}]`

  test.each([
    ['/v1/chat/completions', `{"model":"gpt-4o","messages":[{"role":"user","content":${many('{}')}}]}`],
    ['/v1/responses', `{"model":"gpt-4o","input":[{"type":"additional_tools","tools":${many('1')}}]}`],
    ['/v1/messages', `{"model":"gpt-4o","max_tokens":9,"messages":${many('{}')}}`],
    ['/v1beta/models/gpt-4o:generateContent', `{"contents":[{"parts":${many('{}')}}]}`],
    ['/v1/embeddings', `{"model":"gpt-4o","input":${many('1')}}`],
    ['/v1/messages/count_tokens', `{"model":"gpt-4o","messages":${many('{}')}}`],
    ['/v1/chat/completions', `{"model":"gpt-4o","messages":[],"metadata":{${names.join()}}}`],
  ])('is refused at %s before anybody is asked', async (path, body) => {
    const answer = await send(path, body)
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('500,000 values')
    expect(channel.seen).toHaveLength(0)
  })
})

describe('a form of more parts than anybody needs', () => {
  const part = (at: number) => `--x\r\ncontent-disposition: form-data; name="a${at}"\r\n\r\n1\r\n`
  const parts = Array.from({ length: 500_000 }, (_, at) => part(at)).join('')

  test.each(['/v1/audio/transcriptions', '/v1/images/edits', '/v1/videos'])(
    'is refused at %s before they are read',
    async (path) => {
      const answer = await fetch(scene.app.url + path, {
        method: 'POST',
        body: `${parts}--x--\r\n`,
        headers: { authorization: `Bearer ${scene.key}`, 'content-type': 'multipart/form-data; boundary=x' },
      })
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain('more than 1,000 parts')
    },
  )
})

describe('a body nested too deeply', () => {
  test.each([
    ['/v1/chat/completions', (deep: string) => chat(`"tools":[{"type":"function","function":${deep}}]`)],
    ['/v1/responses', (deep: string) => `{"model":"gpt-4o","input":[${deep}]}`],
    ['/v1/messages', (deep: string) => `{"model":"gpt-4o","max_tokens":9,"messages":[],"tools":[${deep}]}`],
    ['/v1beta/models/gpt-4o:generateContent', (deep: string) => `{"contents":[${deep}]}`],
    ['/v1/embeddings', (deep: string) => `{"model":"gpt-4o","input":${deep}}`],
    ['/v1/messages/count_tokens', (deep: string) => `{"model":"gpt-4o","messages":[],"tools":[${deep}]}`],
    ['/v1beta/models/gpt-4o:countTokens', (deep: string) => `{"contents":[${deep}]}`],
  ])('is refused at %s before anybody is asked', async (path, body) => {
    for (const levels of [101, 5000, 15_000]) {
      const answer = await send(path, body(nested(levels)))
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain('200 levels')
    }
    expect(channel.seen).toHaveLength(0)
  })

  test('of arguments inside a text does not stop the node either', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: nested(30_000) } }
    const body = JSON.stringify({
      model: 'gpt-4o',
      max_tokens: 5,
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: '', tool_calls: [call] },
      ],
    })
    expect((await send('/v1/chat/completions', body)).status).toBe(200)
  })
})

describe('a key given twice', () => {
  test.each([
    ['the model', chat('"model":"other"')],
    ['an escaped name', chat('"m\\u006fdel":"other"')],
    ['a limit', chat('"max_tokens":1,"max_tokens":100000')],
    ['something deep inside', chat('"metadata":{"a":[{"b":1,"b":2}]}')],
  ])('%s is refused', async (_, body) => {
    const answer = await send('/v1/chat/completions', body)
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('twice')
    expect(channel.seen).toHaveLength(0)
  })
})

describe('a form', () => {
  const post = (fields: [string, string | Blob][]) => {
    const form = new FormData()
    form.append('file', new Blob(['RIFF....'], { type: 'audio/wav' }), 'a.wav')
    for (const [name, value] of fields) form.append(name, value)
    return scene.post('/v1/audio/transcriptions', form)
  }
  const file = new Blob(['whisper-1'])

  test.each([
    ['a model in the shape of a file', [['model', file]]],
    [
      'two models',
      [
        ['model', 'whisper-1'],
        ['model', 'dall-e-2'],
      ],
    ],
    [
      'an answer count as a file',
      [
        ['model', 'whisper-1'],
        ['n', new Blob(['9'])],
      ],
    ],
    [
      'a prompt twice',
      [
        ['model', 'whisper-1'],
        ['prompt', 'a'],
        ['prompt', 'b'],
      ],
    ],
    [
      'a model in capitals',
      [
        ['MODEL', 'dall-e-2'],
        ['model', 'whisper-1'],
      ],
    ],
  ] as [string, [string, string | Blob][]][])('with %s is refused', async (_, fields) => {
    const answer = await post(fields)
    expect(answer.status).toBe(400)
    expect(channel.seen).toHaveLength(0)
  })

  test('may give a list and several pictures', async () => {
    const form = new FormData()
    form.append('model', 'dall-e-2')
    form.append('prompt', 'a cat')
    for (const name of ['image[]', 'image[]', 'mask'])
      form.append(name, new Blob(['x'], { type: 'image/png' }), 'a.png')
    for (const value of ['word', 'segment']) form.append('timestamp_granularities[]', value)
    expect((await scene.post('/v1/images/edits', form)).status).not.toBe(400)
    expect(channel.seen).toHaveLength(1)
  })
})
