import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { removeExpired } from '#server/jobs/remove-expired.ts'
import { chatAnswer, errorAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
/** In the middle of a quarter hour. */
let now = Math.floor(Date.now() / 900_000) * 900 + 450
const at = (seconds: number) => {
  now = seconds
  scene.app.time.now = now * 1000
}
beforeAll(async () => {
  scene = await startRelayScene()
  at(now)
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const good = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })
const slow = errorAnswer(429, { message: 'slow down', type: 'rate_limit_error', code: 'rate_limit_exceeded' })
const broke = errorAnswer(429, { message: 'no money', type: 'insufficient_quota', code: 'insufficient_quota' })
const down = errorAnswer(500, { message: 'down' })

const quarter = () => now - (now % 900)
const day = 86_400

/** They are written beside the requests. */
async function troublesOf(id: number, wanted: number) {
  for (let round = 0; ; round++) {
    const all = await scene.root.call(api.routing.troubles, { from: now - day })
    const { limited = [], rested = [] } = all.find(({ channel_id }) => channel_id === id) ?? {}
    if (limited.length + rested.length >= wanted || round > 100) return { limited, rested }
    await Bun.sleep(10)
  }
}

test('a channel whose rate is limited is known for the quarter hour, though another one answered', async () => {
  await scene.option('RetryTimes', 1)
  const busy = await scene.channel(slow, { priority: 9 })
  const other = await scene.channel(good)
  const first = quarter()
  for (let round = 0; round < 3; round++) expect((await scene.chat()).status).toBe(200)
  expect(await troublesOf(busy.id, 1)).toEqual({ limited: [first], rested: [] })
  expect(await troublesOf(other.id, 0)).toEqual({ limited: [], rested: [] })
  at(now + 900)
  await scene.chat()
  expect(await troublesOf(busy.id, 2)).toEqual({ limited: [first, first + 900], rested: [] })
})

test('an account without money is no limit of the rate', async () => {
  const poor = await scene.channel(broke)
  await scene.chat()
  expect(await troublesOf(poor.id, 0)).toEqual({ limited: [], rested: [] })
})

test('a channel that rests after failures is known for every quarter hour of its rest', async () => {
  const dead = await scene.channel(down)
  at(quarter() + 899)
  const first = quarter()
  for (let round = 0; round < 5; round++) await scene.chat()
  expect(await troublesOf(dead.id, 2)).toEqual({ limited: [], rested: [first, first + 900] })
})

test('nobody but administrators may ask, and what is older than a week is forgotten', async () => {
  const busy = await scene.channel(slow)
  await scene.chat()
  expect((await troublesOf(busy.id, 1)).limited).toHaveLength(1)
  expect((await scene.user.fetch('/api/routing/troubles?from=0')).status).toBe(403)
  const later = { ...scene.app.ctx, clock: () => (now + 9 * day) * 1000 }
  await removeExpired.run(later)
  const left = await scene.app.ctx.database.db.selectFrom('channel_troubles').selectAll().execute()
  expect(left).toEqual([])
})
