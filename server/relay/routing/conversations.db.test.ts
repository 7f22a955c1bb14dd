import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { chatAnswer, errorAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(async () => {
  scene.app.time.now = null
  await scene.clear()
})
afterAll(() => scene.stop())

const good = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })

const say = (first: string, ...more: string[]) =>
  scene.chat({
    messages: [
      { role: 'system', content: `now ${Math.random()}` },
      { role: 'user', content: first },
      ...more.map((content) => ({ role: 'user', content })),
    ],
  })

test('a conversation stays with its channel, others are spread', async () => {
  await scene.option('StickyMinutes', 5)
  const channels = [await scene.channel(good), await scene.channel(good), await scene.channel(good)]
  for (let turn = 0; turn < 12; turn++) await say('the same question', `more ${turn}`)
  expect(channels.map(({ seen }) => seen.length).toSorted((a, b) => a - b)).toEqual([0, 0, 12])
  for (let turn = 0; turn < 60; turn++) await say(`question ${turn}`)
  expect(channels.every(({ seen }) => seen.length > 5)).toBe(true)
})

test('after a fault it moves to the channel that answered, and stays there', async () => {
  await scene.option('StickyMinutes', 5)
  await scene.option('RetryTimes', 1)
  const one = await scene.channel(good)
  const two = await scene.channel(good)
  await say('hello')
  const [home, away] = one.seen.length === 1 ? [one, two] : [two, one]
  home.next(errorAnswer(500, { message: 'out of order' }), good)
  await say('hello')
  expect([home.seen.length, away.seen.length]).toEqual([2, 0])
  await say('hello')
  expect([home.seen.length, away.seen.length]).toEqual([3, 1])
  await say('hello')
  expect([home.seen.length, away.seen.length]).toEqual([3, 2])
})

test('is off by default', async () => {
  const channels = [await scene.channel(good), await scene.channel(good)]
  for (let turn = 0; turn < 40; turn++) await say('the same question')
  expect(channels.every(({ seen }) => seen.length > 3)).toBe(true)
})
