import { mkdtempSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '#shared/api/all.ts'
import { operate } from '../support/console.ts'
import { startChild } from '../support/process.ts'
import { relayEnvironment } from '../support/relay-environment.ts'
import { createDice, type Dice } from './dice.ts'
import { asked, requestFor } from './door-requests.ts'
import { startHostileUpstream } from './hostile-upstream.ts'
import { watch } from './watch.ts'

const rootPassword = 'fuzz-password'
const models = 'gpt-4o,tts-1,dall-e-2,whisper-1'
const stallMaxMs = 250
const memoryMaxMb = 400
/** What answers named is asked for later. */
const idsKept = 100

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

/** Malformed heads, bodies and upstream answers: no 500 of ours, no stall, no growth. Returns what went wrong. */
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
  await call(api.options.update, { key: 'PassthroughEnabled', value: 'true' })
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
  for (const { method, path, body } of asked) {
    const init: RequestInit = { method, headers: { authorization: `Bearer sk-${token.key}` } }
    const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) }
    await fetch(relay.url + path.replace('{id}', 'x'), { ...sent, signal: AbortSignal.timeout(5000) })
      .then((answer) => answer.text())
      .catch(() => {})
  }
  const looking = watch(relay.url, relay.memoryMb)
  const until = Date.now() + seconds * 1000
  const ids = ['x', '..', '%2e%2e', '%00']
  const client = async (dice: Dice) => {
    while (Date.now() < until) {
      const text = requestFor(dice, `sk-${token.key}`, ids)
      const answer = await say(relay.url, text)
      for (const [, id] of answer.matchAll(/"(?:id|name)":"([^"]{1,100})"/g)) ids.push(id ?? '')
      ids.splice(0, ids.length - idsKept)
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
