import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
let key = ''
beforeAll(async () => {
  scene = await startRelayScene()
  const limited = { name: 'limited', unlimited_quota: true, remain_quota: 0, rpm: 9 }
  key = `sk-${(await scene.user.call(api.tokens.create, limited)).key}`
})
afterEach(async () => {
  await scene.app.ctx.database.db.deleteFrom('long_work').execute()
  await scene.clear()
})
afterAll(() => scene.stop())

const left = ({ headers }: Response) => [
  headers.get('x-ratelimit-limit-requests'),
  headers.get('x-ratelimit-remaining-requests'),
]

test('a video, a batch and a prediction that begin say what is left of the requests of the minute', async () => {
  await scene.channel(() => Response.json({ id: 'video_1', status: 'queued' }), { models: 'sora-2' })
  await scene.channel(() => Response.json({ name: 'models/veo/operations/1' }), {
    type: 24,
    models: 'veo-3.1-generate-preview',
  })
  await scene.channel(() => Response.json({ id: 'msgbatch_1', processing_status: 'in_progress' }), { type: 14 })
  const headers = { authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01' }
  const video = await scene.post('/v1/videos', { model: 'sora-2', prompt: 'x' }, { headers })
  expect([video.status, ...left(video)]).toEqual([200, '9', '8'])
  const params = { model: 'gpt-4o', max_tokens: 20, messages: [{ role: 'user', content: 'hi' }] }
  const batch = await scene.post('/v1/messages/batches', { requests: [{ custom_id: 'a', params }] }, { headers })
  expect([batch.status, ...left(batch)]).toEqual([200, '9', '7'])
  expect(batch.headers.get('anthropic-ratelimit-requests-remaining')).toBe('7')
  const path = '/v1beta/models/veo-3.1-generate-preview:predictLongRunning'
  const parameters = { durationSeconds: 1 }
  const film = await scene.post(path, { instances: [{ prompt: 'x' }], parameters }, { headers })
  expect([film.status, ...left(film)]).toEqual([200, '9', '6'])
})

test('a call passed to a vendor says what is left of the requests of the minute', async () => {
  await scene.option('PassthroughEnabled', true)
  await scene.channel(() => Response.json({}))
  const own = await scene.root.call(api.tokens.create, {
    name: 'admin',
    unlimited_quota: true,
    remain_quota: 0,
    rpm: 5,
  })
  const answer = await scene.post('/pass/1/v1/x', {}, { headers: { authorization: `Bearer sk-${own.key}` } })
  expect([answer.status, ...left(answer)]).toEqual([200, '5', '4'])
})
