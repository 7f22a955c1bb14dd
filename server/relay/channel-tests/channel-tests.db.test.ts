import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { eventually } from '#server/testing/eventually.ts'
import { chatAnswer, errorAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const good = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })
const dead = errorAnswer(401, { message: 'Incorrect API key provided', code: 'invalid_api_key' })
const busy = errorAnswer(503, { message: 'overloaded for now' })

const shown = (id: number) => scene.root.call(api.channels.get, { id })
const listed = async (id: number) => {
  const row = (await scene.root.call(api.channels.list, { pagesize: 100 })).list.find((one) => one.id === id)
  if (!row) throw new Error('the channel is not listed')
  return row
}

test('a failed test keeps its fault and its time until the next one passes', async () => {
  const { id } = await scene.channel([dead, good])
  expect(await shown(id)).toMatchObject({ test_fault: '', test_time: 0 })
  expect((await scene.root.raw(api.channels.test, { id })).success).toBe(false)
  const failed = await shown(id)
  expect(failed.test_fault).toBe('401: Incorrect API key provided')
  expect(failed.test_time).toBeGreaterThan(0)
  await scene.root.call(api.channels.test, { id })
  expect(await shown(id)).toMatchObject({ test_fault: '' })
})

test('after a test of all channels each one that failed says so', async () => {
  const [well, ill] = [await scene.channel(good), await scene.channel(busy)]
  await scene.root.call(api.channels.testMany, { scope: 'all' })
  await eventually(
    () => scene.root.call(api.channels.testProgress, {}),
    ({ running }) => !running,
  )
  expect(await shown(well.id)).toMatchObject({ test_fault: '' })
  expect((await listed(ill.id)).test_fault).toContain('503')
})

test('a test of all channels that many ask for at once runs once', async () => {
  const everybodyAsked = Promise.withResolvers<void>()
  const { seen } = await scene.channel(async (request) => {
    await everybodyAsked.promise
    return good(request)
  })
  const asked = Array.from({ length: 12 }, () => scene.root.raw(api.channels.testMany, { scope: 'all' }))
  const answers = await Promise.all(asked)
  everybodyAsked.resolve()
  expect(answers.filter(({ success }) => success)).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'channel.test_running')).toHaveLength(11)
  await eventually(
    () => scene.root.call(api.channels.testProgress, {}),
    ({ running }) => !running,
  )
  expect(seen).toHaveLength(1)
})

test('the last error of real requests and the share that was answered stand in the list', async () => {
  const { id } = await scene.channel([good, good, good, busy])
  expect(await listed(id)).toMatchObject({ success_share: null, last_error: '', last_error_time: 0 })
  for (let at = 0; at < 3; at++) expect((await scene.chat()).status).toBe(200)
  expect(await listed(id)).toMatchObject({ success_share: 1, last_error: '' })
  await scene.chat()
  await eventually(
    () => listed(id),
    ({ last_error }) => last_error.includes('503'),
  )
  expect((await listed(id)).last_error_time).toBeGreaterThan(0)
  expect((await listed(id)).success_share).toBeLessThan(1)
})

test('a channel is tested as the form holds it, and nothing is saved', async () => {
  const { url, seen } = await scene.channel(good)
  const before = (await scene.root.call(api.channels.list, {})).total
  const draft = { type: 1, key: 'typed-key-1', base_url: url, models: 'gpt-4o-mini', test_model: '' }
  expect(await scene.root.call(api.channels.testDraft, draft)).toMatchObject({ model: 'gpt-4o-mini' })
  expect(seen.at(-1)?.headers.get('authorization')).toBe('Bearer typed-key-1')
  expect((await scene.root.call(api.channels.list, {})).total).toBe(before)
})

test('a draft that fails says why, without its key', async () => {
  const { url } = await scene.channel(errorAnswer(401, { message: 'no such key: typed-key-2' }))
  const draft = { type: 1, key: 'typed-key-2', base_url: url, models: 'gpt-4o-mini' }
  const answer = await scene.root.raw(api.channels.testDraft, draft)
  expect(answer.success).toBe(false)
  expect(answer.message).toContain('401')
  expect(answer.message).not.toContain('typed-key-2')
})

test('the saved key of a channel is tested where it was entered for, and nowhere else', async () => {
  const own = await scene.channel(good, { key: 'kept-key' })
  const other = await scene.channel(good)
  const draft = { id: own.id, type: 1, key: '', models: 'gpt-4o-mini' }
  await scene.root.call(api.channels.testDraft, { ...draft, base_url: own.url })
  expect(own.seen.at(-1)?.headers.get('authorization')).toBe('Bearer kept-key')
  const elsewhere = await scene.root.raw(api.channels.testDraft, { ...draft, base_url: other.url })
  expect(elsewhere.code).toBe('channel.key_needed')
  expect(other.seen).toEqual([])
  const { id: _, ...fresh } = draft
  expect((await scene.root.raw(api.channels.testDraft, { ...fresh, base_url: own.url })).success).toBe(false)
})

test('what a vendor says about a key is shown without the key, whole or cut, of a pool or not', async () => {
  const long = `acct${'x'.repeat(300)}`
  const channel = await scene.channel(
    () => Response.json({ success: false, message: `no account has the key ${long}` }),
    { type: 10, key: long },
  )
  const asked = await scene.root.raw(api.channels.balance, { id: channel.id })
  expect(asked.message).toContain('no account has the key [key]')
  await scene.root.call(api.channels.update, { id: channel.id, key: `other-key\n${long}`, pool: true })
  const again = await scene.root.raw(api.channels.balance, { id: channel.id })
  expect(again.message).toContain('no account has the key [key]')
})
