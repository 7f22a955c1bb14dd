import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { eventually } from '#server/testing/eventually.ts'
import { type Behaviour, chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, type SceneChannel, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const good = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })

async function standing({ id }: SceneChannel): Promise<string> {
  const { candidates } = await scene.root.call(api.routing.explain, { model: 'gpt-4o', user_id: scene.userId })
  const { state = '', reason = '' } = candidates.find(({ channel_id }) => channel_id === id) ?? {}
  return `${state}: ${reason}`
}

test('a channel that answers as many as it may at one time is out until one has ended', async () => {
  const { promise: end, resolve: answer } = Promise.withResolvers<void>()
  const slow: Behaviour = (request) => end.then(() => good(request))
  const narrow = await scene.channel(slow, { priority: 9, parallel: 1 })
  const other = await scene.channel(good)
  const running = scene.chat()
  await eventually(
    () => narrow.seen.length,
    (asked) => asked === 1,
  )
  expect([await standing(narrow), await standing(other)]).toEqual([
    'out: at its limit',
    'first: the only one of the highest priority',
  ])
  await (await scene.chat()).text()
  expect(other.seen).toHaveLength(1)
  answer()
  await (await running).text()
  expect(await standing(narrow)).toStartWith('first')
})

test('a channel whose tokens of the minute are used is out', async () => {
  const small = await scene.channel(good, { priority: 9 })
  await scene.root.call(api.channels.update, { id: small.id, tpm: 15 })
  expect(await standing(small)).toStartWith('first')
  await (await scene.chat()).text()
  expect(await standing(small)).toBe('out: at its limit')
})

test('a token whose user has lost its group reaches nothing', async () => {
  await scene.channel(good, { group: 'vip' })
  await scene.root.call(api.users.update, { id: scene.userId, group: 'vip' })
  const token = await scene.user.call(api.tokens.create, { name: 'vip', remain_quota: 1000, group: 'vip' })
  await scene.root.call(api.users.update, { id: scene.userId, group: 'default' })
  const explained = await scene.root.call(api.routing.explain, { model: 'gpt-4o', token_id: token.id })
  expect(explained).toMatchObject({ groups: [], group_ratio: 1 })
  expect(explained.candidates.map(({ state, reason }) => `${state}: ${reason}`)).toEqual(['out: serves other groups'])
})
