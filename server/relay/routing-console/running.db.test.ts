import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eventually } from '#server/testing/eventually.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { signIn } from '#server/testing/sign-in.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeEach(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.stop())

test('a request is shown as running to its user and to administrators until it is settled', async () => {
  const gate = Promise.withResolvers<void>()
  const answer = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })
  const upstream = await scene.channel(async (seen) => {
    await gate.promise
    return answer(seen)
  })
  const asked = scene.chat()
  const [row] = await eventually(
    () => scene.root.call(api.logs.running, {}),
    (list) => list[0]?.channel === upstream.id,
  )
  expect(row).toMatchObject({ username: 'ann', token_name: 'test', model_name: 'gpt-4o', first_byte_ms: 0 })
  expect(row?.prompt_tokens).toBeGreaterThan(0)
  expect(await scene.user.call(api.logs.ownRunning, {})).toMatchObject([{ request_id: row?.request_id, channel: 0 }])
  const stranger = await signIn(scene.app)
  expect(await stranger.call(api.logs.ownRunning, {})).toEqual([])
  for (const filter of [{ model_name: 'gpt-5' }, { username: 'bob' }, { channel: upstream.id + 1 }, { type: 1 }])
    expect(await scene.root.call(api.logs.running, filter)).toEqual([])
  gate.resolve()
  expect((await asked).status).toBe(200)
  expect(await scene.root.call(api.logs.running, {})).toEqual([])
  expect((await scene.books()).rows[0]).toMatchObject({ request_id: row?.request_id, quota: 30 })
})

test('a request that fails or is refused does not stay among the running ones', async () => {
  await scene.channel(() => new Response('broken', { status: 400 }))
  expect((await scene.chat()).ok).toBe(false)
  expect((await scene.chat({ model: 'nobody-has-it' })).ok).toBe(false)
  expect(await scene.root.call(api.logs.running, {})).toEqual([])
})

test('running requests of a team are refused to those outside', async () => {
  const stranger = await signIn(scene.app)
  const refused = await stranger.call(api.logs.ownRunning, { team_id: 7 }).catch((error) => error)
  expect(String(refused)).toContain('403')
})
