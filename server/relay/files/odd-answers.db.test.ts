import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import type { Behaviour } from '#server/testing/fake-upstream.ts'
import { startBreakingUpstream } from '#server/testing/raw-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(async () => {
  await scene.clear()
  await scene.app.ctx.database.db.deleteFrom('relay_state').execute()
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const key = 'the-key-of-the-vendor'
const file = '{"id":"file-1","object":"file","purpose":"batch"}'

function upload(): Promise<Response> {
  const form = new FormData()
  form.set('purpose', 'batch')
  form.set('file', new File(['{}'], 'a.jsonl'))
  return scene.post('/v1/files', form)
}

const google = (): Promise<Response> =>
  scene.post('/upload/v1beta/files', {}, { headers: { 'x-goog-upload-protocol': 'raw' } })

const ask = (path: string) => fetch(scene.app.url + path, { headers: { authorization: `Bearer ${scene.key}` } })

const json =
  (text: string): Behaviour =>
  () =>
    new Response(text, { headers: { 'content-type': 'application/json' } })
const page: Behaviour = () => new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html' } })
const failed = json(`{"error":{"message":"The key ${key} is worn out.","type":"server_error"}}`)

const odd: readonly [string, Behaviour][] = [
  ['a page', page],
  ['a list', json('[]')],
  ['something without an id', json('{"object":"file"}')],
  ['an error in a success', failed],
]

/** A fault of the upstream, and nothing of its key. */
async function expectFault(answer: Response) {
  const text = await answer.text()
  expect([500, 502], text).toContain(answer.status)
  expect(text).not.toContain(key)
  expect(JSON.parse(text)).toHaveProperty('error')
}

describe('an upload whose vendor answers', () => {
  test.each(odd)('%s has failed', async (_, behaviour) => {
    await scene.channel(behaviour, { key })
    await expectFault(await upload())
    await expectFault(await scene.post('/v1/uploads', { bytes: 5, filename: 'a', mime_type: 'a/b', purpose: 'batch' }))
    expect(await (await ask('/v1/files')).json()).toMatchObject({ data: [] })
  })

  test.each(odd)('%s has failed at Google too', async (_, behaviour) => {
    await scene.channel(behaviour, { key, type: 24, models: 'gemini-2.5-flash' })
    await expectFault(await google())
  })

  test('with a mark of its byte order is made', async () => {
    await scene.channel(json(`\ufeff${file}`))
    expect(await (await upload()).json()).toMatchObject({ id: 'file-1' })
    expect(await (await ask('/v1/files/file-1')).json()).toMatchObject({ id: 'file-1' })
  })

  test('half of it and leaves has perhaps been made, and the answer says so', async () => {
    const upstream = startBreakingUpstream('application/json', file.slice(0, 20))
    await scene.channel(json(''), { base_url: upstream.url })
    const answer = await upload()
    expect(answer.status).toBe(502)
    expect(await answer.text()).toContain('upstream_answer_lost')
    upstream.stop()
  })
})

describe('a file whose vendor answers', () => {
  test.each([...odd.filter(([what]) => what !== 'something without an id'), ['nothing', json('')] as const])(
    '%s when it is asked for it is a fault of the upstream',
    async (_, behaviour) => {
      await scene.channel([json(file), behaviour], { key })
      await upload()
      await expectFault(await ask('/v1/files/file-1'))
    },
  )

  test('nothing when it is deleted is gone', async () => {
    await scene.channel([json(file), json('')])
    await upload()
    const headers = { authorization: `Bearer ${scene.key}` }
    expect((await fetch(`${scene.app.url}/v1/files/file-1`, { method: 'DELETE', headers })).status).toBe(200)
    expect((await ask('/v1/files/file-1')).status).toBe(404)
  })
})

test('a video whose vendor answers half and cannot be asked for a list is looked for, not given back', async () => {
  const upstream = startBreakingUpstream('application/json', '{"id":"vid')
  await scene.channel(json(''), { base_url: upstream.url, models: 'sora-2' })
  const answer = await scene.post('/v1/videos', { model: 'sora-2', prompt: 'a cat' })
  expect(await answer.text()).toContain('upstream_answer_lost')
  const work = await scene.app.ctx.database.db.selectFrom('long_work').select('id').execute()
  expect(work).toHaveLength(1)
  upstream.stop()
})
