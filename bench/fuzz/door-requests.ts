import { type Dice, distorted, mutated } from './dice.ts'

const user = [{ role: 'user', content: 'hi' }]
const schema = { type: 'object', properties: { a: { type: 'string' } } }
const tools = [{ type: 'function', function: { name: 'f', parameters: schema } }]

const said = { input: [{ role: 'user', content: [{ type: 'input_text', text: 'a' }] }] }
const parts = [{ role: 'user', parts: [{ text: 'a' }] }]
const params = { model: 'gpt-4o', max_tokens: 5, messages: user }

/** A good request, to be spoilt. `{id}` is something an answer named. */
export interface Asked {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

const post = (path: string, body: unknown): Asked => ({ method: 'POST', path, body })
const get = (path: string): Asked => ({ method: 'GET', path })
const remove = (path: string): Asked => ({ method: 'DELETE', path })

/** Every call of the relay, and of the console those that anybody may make. */
export const asked: readonly Asked[] = [
  post('/v1/chat/completions', { model: 'gpt-4o', messages: user, tools, stream: true, max_tokens: 5, n: 1 }),
  post('/v1/chat/completions', { model: 'gpt-4o', messages: user, response_format: { type: 'json_object' } }),
  post('/v1/completions', { model: 'gpt-4o', prompt: ['a', 'b'], best_of: 2 }),
  post('/v1/embeddings', { model: 'gpt-4o', input: ['a', [1, 2]] }),
  post('/v1/moderations', { model: 'gpt-4o', input: 'a' }),
  post('/v1/images/generations', { model: 'dall-e-2', prompt: 'a', n: 2, size: '1x1' }),
  post('/v1/images/edits', { model: 'dall-e-2', prompt: 'a', image: 'x' }),
  post('/v1/images/variations', { model: 'dall-e-2', image: 'x' }),
  post('/v1/audio/speech', { model: 'tts-1', input: 'a', voice: 'x', speed: 0.5 }),
  post('/v1/audio/transcriptions', { model: 'whisper-1' }),
  post('/v1/audio/translations', { model: 'whisper-1' }),
  post('/v1/rerank', { model: 'gpt-4o', query: 'a', documents: ['b', { text: 'c' }] }),
  post('/v2/rerank', { model: 'gpt-4o', query: 'a', documents: ['b'] }),
  post('/v1/messages', { ...params, tools: [{ name: 'f', input_schema: schema }], stream: true }),
  post('/v1/messages/count_tokens', { model: 'gpt-4o', messages: user }),
  post('/v1/responses', { model: 'gpt-4o', ...said, stream: true }),
  post('/v1/responses', { model: 'gpt-4o', ...said, previous_response_id: '{id}', background: true, store: true }),
  post('/v1/responses/compact', { model: 'gpt-4o', ...said }),
  post('/v1/responses/input_tokens', { model: 'gpt-4o', ...said }),
  get('/v1/responses/{id}?stream=true&starting_after=1'),
  get('/v1/responses/{id}/input_items?limit=2&after=x'),
  post('/v1/responses/{id}/cancel', {}),
  remove('/v1/responses/{id}'),
  post('/v1/conversations', { items: said.input, metadata: { a: 'b' } }),
  get('/v1/conversations/{id}'),
  post('/v1/conversations/{id}', { metadata: {} }),
  get('/v1/conversations/{id}/items'),
  post('/v1/conversations/{id}/items', { items: said.input }),
  get('/v1/conversations/{id}/items/{id}'),
  remove('/v1/conversations/{id}/items/{id}'),
  remove('/v1/conversations/{id}'),
  post('/v1/files', { purpose: 'batch' }),
  get('/v1/files?limit=x'),
  get('/v1/files/{id}'),
  get('/v1/files/{id}/content'),
  remove('/v1/files/{id}'),
  post('/v1/uploads', { filename: 'a', bytes: 5, mime_type: 'text/plain', purpose: 'batch' }),
  post('/v1/uploads/{id}/parts', {}),
  post('/v1/uploads/{id}/complete', { part_ids: ['x'] }),
  post('/v1/uploads/{id}/cancel', {}),
  post('/v1/batches', { input_file_id: '{id}', endpoint: '/v1/chat/completions', completion_window: '24h' }),
  get('/v1/batches?after={id}'),
  get('/v1/batches/{id}'),
  post('/v1/batches/{id}/cancel', {}),
  post('/v1/messages/batches', { requests: [{ custom_id: 'a', params }] }),
  get('/v1/messages/batches'),
  get('/v1/messages/batches/{id}'),
  get('/v1/messages/batches/{id}/results'),
  post('/v1/messages/batches/{id}/cancel', {}),
  remove('/v1/messages/batches/{id}'),
  post('/v1/videos', { model: 'gpt-4o', prompt: 'a', seconds: '4', size: '1x1', input_reference: { file_id: 'a' } }),
  post('/v1/videos/{id}/remix', { prompt: 'a' }),
  get('/v1/videos'),
  get('/v1/videos/{id}'),
  get('/v1/videos/{id}/content?variant=x'),
  remove('/v1/videos/{id}'),
  post('/v1beta/models/gpt-4o:generateContent', { contents: parts, generationConfig: { maxOutputTokens: 5 } }),
  post('/v1beta/models/gpt-4o:streamGenerateContent', {
    contents: [{ parts: [{ text: 'a' }, { inlineData: { mimeType: 'x', data: 'AA' } }] }],
  }),
  post('/v1beta/models/gpt-4o:countTokens', { contents: parts }),
  post('/v1beta/models/gpt-4o:embedContent', { content: { parts: [{ text: 'a' }] } }),
  post('/v1beta/models/gpt-4o:batchEmbedContents', { requests: [{ content: { parts: [{ text: 'a' }] } }] }),
  post('/v1beta/models/gpt-4o:predict', { instances: [{ prompt: 'a' }], parameters: { sampleCount: 2 } }),
  post('/v1beta/models/gpt-4o:predictLongRunning', {
    instances: [{ prompt: 'a' }],
    parameters: { durationSeconds: 4 },
  }),
  post('/v1beta/models/gpt-4o:batchGenerateContent', {
    batch: { display_name: 'a', input_config: { requests: { requests: [{ request: { contents: parts } }] } } },
  }),
  post('/v1beta/cachedContents', { model: 'models/gpt-4o', contents: parts, ttl: '60s' }),
  get('/v1beta/cachedContents?pageSize=x'),
  get('/v1beta/cachedContents/{id}'),
  remove('/v1beta/cachedContents/{id}'),
  get('/v1beta/batches/{id}'),
  post('/v1beta/batches/{id}:cancel', {}),
  remove('/v1beta/batches/{id}'),
  get('/v1beta/files/{id}'),
  get('/v1beta/operations/{id}'),
  get('/v1beta/models/gpt-4o/operations/{id}'),
  post('/upload/v1beta/files', { file: { display_name: 'a' } }),
  get('/download/v1beta/files/{id}:download?alt=media'),
  get('/v1/realtime?model=gpt-4o'),
  get('/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'),
  get('/v1/models?limit=x'),
  get('/v1/models/{id}'),
  get('/v1beta/models?pageSize=x'),
  get('/dashboard/billing/subscription'),
  get('/dashboard/billing/usage?start_date=x'),
  get('/v1/dashboard/billing/subscription'),
  get('/v1/dashboard/billing/usage?start_date=x'),
  post('/pass/1/v1/chat/completions', { model: 'gpt-4o', messages: user }),
  post('/api/user/login', { username: 'root', password: 'x' }),
  post('/api/user/register', { username: 'x', password: 'xxxxxxxx', aff_code: 'y' }),
]

const types = ['application/json', 'multipart/form-data; boundary=x', 'multipart/form-data', 'text/plain', '']
const encodings = ['gzip', 'br', 'constructor', 'gzip, gzip, gzip']
const upgrade =
  'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'
const googleUpload = 'x-goog-upload-protocol: resumable\r\nx-goog-upload-command: start\r\n'

/** The form of a file, well made: what is wrong with it is done later. */
const formOf = (text: string): string =>
  `--x\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nbatch\r\n--x\r\n` +
  `content-disposition: form-data; name="file"; filename="a"\r\n\r\n${text}\r\n--x--\r\n`

/** The bytes of one request, most of them wrong somewhere. */
export function requestFor(dice: Dice, key: string, ids: readonly string[]): string {
  const { method, path, body: good } = dice.pick(asked)
  const named = (text: string) => text.replaceAll('{id}', () => dice.pick(ids).replaceAll(/[^\x21-\x7e]|["\\]/g, ''))
  const type = dice.pick(types)
  const json = good === undefined ? '' : JSON.stringify(dice.chance(0.7) ? distorted(dice, good) : good)
  const text = named(type.includes('boundary') && dice.chance(0.7) ? formOf(json) : json)
  const body = text !== '' && dice.chance(0.3) ? mutated(dice, text) : text
  const length = dice.chance(0.05) ? dice.roll(100_000) : Buffer.byteLength(body)
  const more =
    (dice.chance(0.1) ? `content-encoding: ${dice.pick(encodings)}\r\n` : '') +
    (dice.chance(0.1) ? 'anthropic-version: 2023-06-01\r\n' : '') +
    (path.startsWith('/upload') && dice.chance(0.8) ? googleUpload : '') +
    (/realtime|Bidi/.test(path) && dice.chance(0.8) ? upgrade : 'connection: close\r\n')
  const head =
    `${method} ${named(path)} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: ${type}\r\n` +
    `${more}content-length: ${length}\r\n\r\n`
  return dice.chance(0.1) ? mutated(dice, head) + body : head + body
}
