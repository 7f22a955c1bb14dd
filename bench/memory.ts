import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '#shared/api/all.ts'
import { operate } from './support/console.ts'
import { type Child, startChild } from './support/process.ts'
import { relayEnvironment } from './support/relay-environment.ts'

const rootPassword = 'bench-password'
const floodMegabytes = 200
const growthMaxMb = 20
const streams = 1000
const streamsMaxMb = 200
/** As fast as the slow reader goes on after its pause. */
const bytesPerTick = 1024 * 1024
const tickMs = 40
const pauseMs = 3000

/** How much memory streams take: one large answer to a slow reader, and a thousand streams at the same time. */
export async function benchMemory(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-memory-'))
  const upstream = await startChild(join(import.meta.dirname, 'support/flood-upstream.ts'))
  const relay = await startChild(
    join(import.meta.dirname, '../server/main.ts'),
    ['serve'],
    relayEnvironment(folder, rootPassword),
  )
  try {
    const key = await setUp(relay, upstream)
    await readAll(relay, key, 'flood-small', 0)
    const slow = await slowReader(relay, key)
    const many = await manyStreams(relay, key)
    if (!slow || !many) process.exitCode = 1
  } finally {
    await relay.stop()
    await upstream.stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function setUp(relay: Child, upstream: Child): Promise<string> {
  const call = await operate(relay.url, rootPassword)
  const models = { 'flood-small': '/flood/20', flood: `/flood/${floodMegabytes}`, drip: '/drip/10' }
  const ratios = Object.fromEntries(Object.keys(models).map((model) => [model, 1]))
  await call(api.options.update, { key: 'ModelRatio', value: JSON.stringify(ratios) })
  await call(api.options.update, { key: 'ApproximateTokenEnabled', value: 'true' })
  for (const [name, path] of Object.entries(models)) {
    await call(api.channels.create, { name, type: 1, key: 'x', models: name, base_url: upstream.url + path })
  }
  await call(api.users.update, { id: 1, quota: 1_000_000_000_000 })
  const token = await call(api.tokens.create, { name: 'bench', unlimited_quota: true })
  return `sk-${token.key}`
}

/** Memory may grow with the work that is going on, but not with the length of an answer nor while nobody reads. */
async function slowReader(relay: Child, key: string): Promise<boolean> {
  const idle = relay.memoryMb()
  const warm = watchMemory(relay)
  for (let round = 0; round < 4; round += 1) await readAll(relay, key, 'flood-small', tickMs)
  const before = warm.stop()
  const watch = watchMemory(relay)
  const bytes = await readAll(relay, key, 'flood', pauseMs)
  const during = watch.stop()
  const growth = during.usual - before.usual
  const fine = growth < growthMaxMb && bytes > floodMegabytes * 1024 * 1024
  console.log(
    `slow reader of ${(bytes / 1024 / 1024).toFixed(0)} MB: memory ${idle.toFixed(0)} MB idle, ${before.usual.toFixed(0)} MB with small answers (${before.peak.toFixed(0)} at most), ${during.usual.toFixed(0)} MB with this one (${during.peak.toFixed(0)} at most), growth ${growth.toFixed(0)} MB (limit ${growthMaxMb})${fine ? '' : '  FAILED'}`,
  )
  return fine
}

async function manyStreams(relay: Child, key: string): Promise<boolean> {
  const watch = watchMemory(relay)
  const sizes = await Promise.all(Array.from({ length: streams }, () => readAll(relay, key, 'drip', 0)))
  const { peak } = watch.stop()
  const fine = peak < streamsMaxMb && sizes.every((size) => size > 0)
  console.log(
    `${streams} streams at once: ${peak.toFixed(0)} MB at most (limit ${streamsMaxMb}), ${relay.memoryMb().toFixed(0)} MB after${fine ? '' : '  FAILED'}`,
  )
  return fine
}

interface Seen {
  /** The median: collection of garbage makes single looks go up and down by tens of megabytes. */
  readonly usual: number
  readonly peak: number
}

function watchMemory(relay: Child): { stop(): Seen } {
  const looks = [relay.memoryMb()]
  const timer = setInterval(() => looks.push(relay.memoryMb()), 50)
  return {
    stop() {
      clearInterval(timer)
      looks.sort((a, b) => a - b)
      return { usual: looks[Math.floor(looks.length / 2)] ?? 0, peak: looks.at(-1) ?? 0 }
    },
  }
}

/** Reads a streamed answer from a bare socket; with a pause, it reads nothing for so long and then in small portions. */
function readAll(relay: Child, key: string, model: string, pause: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const { hostname, port } = new URL(relay.url)
  const body = JSON.stringify({ model, stream: true, max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] })
  let received = 0
  let portion = 0
  let tail = ''
  Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open(socket) {
        socket.write(
          `POST /v1/chat/completions HTTP/1.1\r\nhost: relay\r\nconnection: close\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        )
      },
      data(socket, bytes) {
        const first = received === 0
        received += bytes.length
        portion += bytes.length
        tail = (tail + bytes.subarray(-64).toString()).slice(-64)
        if (tail.includes('[DONE]')) {
          resolve(received)
          socket.end()
        } else if (pause > 0 && (first || portion > bytesPerTick)) {
          portion = 0
          socket.pause()
          setTimeout(() => socket.resume(), first ? pause : tickMs)
        }
      },
      close: () => reject(new Error(`the answer broke off: ${tail}`)),
      error: (_, error) => reject(error),
    },
  }).catch(reject)
  return promise
}
