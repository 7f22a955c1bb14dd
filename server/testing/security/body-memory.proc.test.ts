import { afterAll, beforeAll, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { mainThreadMs } from '#server/testing/main-thread-time.ts'
import { peakMegabytes, resetPeak } from '#server/testing/peak-memory.ts'
import { type SpawnedPerson, type SpawnedScene, startSpawnedScene } from '#server/testing/spawned-scene.ts'

const megabyte = 1024 * 1024

const answered = {
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 10, total_tokens: 15 },
}

/** An upstream that keeps nothing of what it is sent. */
function startForgetfulUpstream() {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch({ body }) {
      for await (const _ of body ?? []);
      return Response.json(answered)
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

let scene: SpawnedScene
let other: SpawnedPerson
beforeAll(async () => {
  scene = await startSpawnedScene(startForgetfulUpstream())
  other = await scene.person('other', 1_000_000)
})
afterAll(() => scene.stop())

const word = (_: unknown, at: number): string => ((at * 7919) % 65_521).toString(36)
const words = Buffer.from(`${Array.from({ length: 20_000 }, word).join(' ')} `)

/** A chat of so many megabytes: what it begins with does not shrink much, the rest to nothing. */
function longChat(megabytes: number, sparse: number): Buffer<ArrayBuffer> {
  const begin = Buffer.concat(
    Array.from({ length: sparse }, (_, at) => Buffer.from(words.toString().replaceAll('a', word(0, at)))),
  )
  const content = Buffer.concat([begin, Buffer.alloc(megabytes * megabyte - begin.length, 'x')]).toString('latin1')
  return Buffer.from(JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }] }))
}

const plain = longChat(60, 7)
const packed = gzipSync(plain)
const packedTooFar = gzipSync(longChat(60, 2))
const asGzip = { 'content-encoding': 'gzip' }

interface Attack {
  readonly peak: number
  /** By how much longer somebody else waited than before, at most. */
  readonly waitedMore: number
  readonly answers: readonly Response[]
}

/** Sends everything at once, and looks at the memory of the node and at how long another caller waits meanwhile. */
async function attack(send: () => readonly Promise<Response>[]): Promise<Attack> {
  const { pid } = scene.server
  let calm = 0
  for (let count = 0; count < 20; count += 1) calm = Math.max(calm, await wait())
  resetPeak(pid)
  let waited = 0
  let isOver = false
  const all = Promise.all(send()).finally(() => {
    isOver = true
  })
  while (!isOver) {
    waited = Math.max(waited, await wait())
    await Bun.sleep(20)
  }
  return { peak: peakMegabytes(pid), waitedMore: waited - calm, answers: await all }
}

/** How long the node works, on whatever it is, while somebody else waits for a short answer, in milliseconds. */
async function wait(): Promise<number> {
  const { pid } = scene.server
  const began = mainThreadMs(pid)
  expect((await scene.chat(other.key)).status).toBe(200)
  return mainThreadMs(pid) - began
}

const times = (count: number, send: () => Promise<Response>) => Array.from({ length: count }, send)
const statusesOf = ({ answers }: Attack): number[] => [...new Set(answers.map(({ status }) => status))].sort()

const waitMoreMost = 1000

test('sixty bodies of 60 MB, packed to some hundred kilobytes, cost one account at most 1.2 GB and others a second', async () => {
  expect(packed.length).toBeLessThan(500_000)
  const poor = await scene.person('poor', 1, { parallel: 1 })
  const limited = await attack(() => times(60, () => scene.chat(poor.key, packed, asGzip)))
  expect(statusesOf(limited)).toEqual([402, 429])
  expect(limited.peak).toBeLessThan(700)
  const unlimited = await scene.person('unlimited', 1)
  const found = await attack(() => times(60, () => scene.chat(unlimited.key, packed, asGzip)))
  expect(statusesOf(found)).toEqual([402, 503])
  for (const { status, headers } of found.answers) if (status === 503) expect(headers.get('retry-after')).toBe('10')
  expect(found.peak).toBeLessThan(1200)
  expect(Math.max(limited.waitedMore, found.waitedMore)).toBeLessThan(waitMoreMost)
  expect([await poor.balance(), await unlimited.balance()]).toEqual([1, 1])
}, 60_000)

test('what is packed too far costs less than 500 MB', async () => {
  const poor = await scene.person('bomber', 1)
  const { peak, waitedMore, answers } = await attack(() => times(60, () => scene.chat(poor.key, packedTooFar, asGzip)))
  for (const { status } of answers) expect([413, 503]).toContain(status)
  expect(peak).toBeLessThan(500)
  expect(waitedMore).toBeLessThan(waitMoreMost)
}, 60_000)

test('sixteen plain bodies of 60 MB, paid and passed on, cost one account at most 1.2 GB', async () => {
  const rich = await scene.person('rich', 1_000_000_000)
  const found = await attack(() => times(16, () => scene.chat(rich.key, plain)))
  expect(found.answers.filter(({ status }) => status === 200).length).toBeGreaterThan(1)
  for (const { status } of found.answers) expect([200, 503]).toContain(status)
  expect(found.peak).toBeLessThan(1200)
  expect(found.waitedMore).toBeLessThan(waitMoreMost)
}, 60_000)

test('and four accounts at most 1.8 GB', async () => {
  const people = await Promise.all([1, 2, 3, 4].map((number) => scene.person(`rich${number}`, 1_000_000_000)))
  const found = await attack(() => people.flatMap(({ key }) => times(4, () => scene.chat(key, plain))))
  for (const { status } of found.answers) expect([200, 503]).toContain(status)
  expect(found.peak).toBeLessThan(1800)
  expect(found.waitedMore).toBeLessThan(waitMoreMost)
}, 60_000)
