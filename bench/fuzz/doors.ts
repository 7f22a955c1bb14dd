import { mkdtempSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '#shared/api/all.ts'
import { operate } from '../support/console.ts'
import { startChild } from '../support/process.ts'
import { relayEnvironment } from '../support/relay-environment.ts'
import { createDice, type Dice, distorted, mutated } from './dice.ts'
import { startHostileUpstream } from './hostile-upstream.ts'
import { watch } from './watch.ts'

const rootPassword = 'fuzz-password'
const models = 'gpt-4o,tts-1,dall-e-2,whisper-1'
const stallMaxMs = 250
const memoryMaxMb = 400

const user = [{ role: 'user', content: 'hi' }]
const schema = { type: 'object', properties: { a: { type: 'string' } } }
const tools = [{ type: 'function', function: { name: 'f', parameters: schema } }]

/** A good request for every door, to be spoilt. */
const bodies: readonly (readonly [path: string, body: unknown])[] = [
  ['/v1/chat/completions', { model: 'gpt-4o', messages: user, tools, stream: true, max_tokens: 5, n: 1 }],
  ['/v1/chat/completions', { model: 'gpt-4o', messages: user, response_format: { type: 'json_object' } }],
  ['/v1/completions', { model: 'gpt-4o', prompt: ['a', 'b'], best_of: 2 }],
  ['/v1/embeddings', { model: 'gpt-4o', input: ['a', [1, 2]] }],
  ['/v1/moderations', { model: 'gpt-4o', input: 'a' }],
  ['/v1/images/generations', { model: 'dall-e-2', prompt: 'a', n: 2, size: '1x1' }],
  ['/v1/audio/speech', { model: 'tts-1', input: 'a', voice: 'x', speed: 0.5 }],
  ['/v1/rerank', { model: 'gpt-4o', query: 'a', documents: ['b', { text: 'c' }] }],
  [
    '/v1/responses',
    { model: 'gpt-4o', input: [{ role: 'user', content: [{ type: 'input_text', text: 'a' }] }], stream: true },
  ],
  [
    '/v1/messages',
    { model: 'gpt-4o', max_tokens: 5, messages: user, tools: [{ name: 'f', input_schema: schema }], stream: true },
  ],
  ['/v1/messages/count_tokens', { model: 'gpt-4o', messages: user }],
  [
    '/v1beta/models/gpt-4o:generateContent',
    { contents: [{ role: 'user', parts: [{ text: 'a' }] }], generationConfig: { maxOutputTokens: 5 } },
  ],
  [
    '/v1beta/models/gpt-4o:streamGenerateContent',
    { contents: [{ parts: [{ text: 'a' }, { inlineData: { mimeType: 'x', data: 'AA' } }] }] },
  ],
  ['/v1/audio/transcriptions', { model: 'whisper-1' }],
  ['/v2/rerank', { model: 'gpt-4o', query: 'a', documents: ['b'] }],
  ['/v1/videos', { model: 'gpt-4o', prompt: 'a', seconds: '4', size: '1x1', input_reference: { file_id: 'a' } }],
  ['/v1/videos/video_1/remix', { prompt: 'a' }],
  ['/v1beta/models/gpt-4o:predict', { instances: [{ prompt: 'a' }], parameters: { sampleCount: 2 } }],
  ['/v1beta/models/gpt-4o:predictLongRunning', { instances: [{ prompt: 'a' }], parameters: { durationSeconds: 4 } }],
  ['/pass/1/v1/chat/completions', { model: 'gpt-4o', messages: user }],
  ['/api/user/login', { username: 'root', password: 'x' }],
  ['/api/user/register', { username: 'x', password: 'xxxxxxxx', aff_code: 'y' }],
]

const types = ['application/json', 'multipart/form-data; boundary=x', 'multipart/form-data', 'text/plain', '']

function request(dice: Dice, key: string): string {
  const [path, good] = dice.pick(bodies)
  const text = JSON.stringify(dice.chance(0.7) ? distorted(dice, good) : good)
  const body = dice.chance(0.3) ? mutated(dice, text) : text
  const length = dice.chance(0.05) ? dice.roll(100_000) : Buffer.byteLength(body)
  const more = dice.chance(0.1)
    ? `content-encoding: ${dice.pick(['gzip', 'br', 'constructor', 'gzip, gzip, gzip'])}\r\n`
    : ''
  const head =
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: ${dice.pick(types)}\r\n` +
    `${more}content-length: ${length}\r\nconnection: close\r\n\r\n`
  return dice.chance(0.1) ? mutated(dice, head) + body : head + body
}

/** What comes back to these bytes; whatever does not come in time is given up. */
function say(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.setTimeout(3000, () => socket.destroy())
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
    })
    socket.on('close', () => resolve(received))
    socket.on('error', () => {})
    socket.write(text)
  })
}

/** Malformed heads, bodies and upstream answers: no 500 of ours, no stall, no growth. Answers what went wrong. */
export async function fuzzDoors(seed: number, seconds: number): Promise<string[]> {
  const faults: string[] = []
  const statuses = new Map<string, number>()
  const upstream = startHostileUpstream(seed)
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-fuzz-'))
  const env = {
    ...relayEnvironment(folder, rootPassword),
    RATE_LIMIT_CRITICAL: '0',
    UPSTREAM_IDLE_TIMEOUT: '2',
    UPSTREAM_HEADERS_TIMEOUT: '2',
    SWITCHYARD_WORKER: '0',
  }
  const relay = await startChild(join(import.meta.dirname, '../../server/main.ts'), ['serve'], env)
  const call = await operate(relay.url, rootPassword)
  const ratios = Object.fromEntries(models.split(',').map((model) => [model, 1]))
  await call(api.options.update, { key: 'ModelRatio', value: JSON.stringify(ratios) })
  for (const type of [1, 14, 24, 8]) {
    await call(api.channels.create, {
      name: `hostile ${type}`,
      type,
      key: 'sk-hostile-key-000000',
      models,
      base_url: upstream.url,
    })
  }
  const token = await call(api.tokens.create, { name: 'fuzz', remain_quota: 500_000, unlimited_quota: true })
  // What is loaded at its first use is loaded by now.
  for (const [path, body] of bodies) {
    const headers = { authorization: `Bearer sk-${token.key}` }
    await fetch(relay.url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers,
      signal: AbortSignal.timeout(5000),
    })
      .then((answer) => answer.text())
      .catch(() => {})
  }
  const looking = watch(relay.url, relay.memoryMb)
  const until = Date.now() + seconds * 1000
  const client = async (dice: Dice) => {
    while (Date.now() < until) {
      const text = request(dice, `sk-${token.key}`)
      const answer = await say(relay.url, text)
      const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'none'
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (/internal_error|internal server error|server\.error/.test(answer))
        faults.push(`500 to ${JSON.stringify(text.slice(0, 600))}`)
      if (answer.includes('sk-hostile-key')) faults.push(`a key came back to ${JSON.stringify(text.slice(0, 600))}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, at) => client(createDice(seed + 1 + at))))
  await looking.stop()
  console.log(
    `answers: ${[...statuses]
      .sort()
      .map(([status, count]) => `${status} × ${count}`)
      .join(', ')}`,
  )
  console.log(
    `longest wait for a simple question: ${looking.longestMs().toFixed(0)} ms, memory: ${looking.memoryMb().toFixed(0)} MB`,
  )
  if (looking.longestMs() > stallMaxMs) faults.push(`a stall of ${looking.longestMs().toFixed(0)} ms`)
  if (looking.memoryMb() > memoryMaxMb) faults.push(`${looking.memoryMb().toFixed(0)} MB of memory`)
  await relay.stop('SIGKILL')
  upstream.stop()
  return faults
}
