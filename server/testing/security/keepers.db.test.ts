import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { type FakeUpstream, startFakeUpstream } from '#server/testing/fake-upstream.ts'
import { giveId } from '#server/testing/given-id.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
/** Somebody in the network the relay stands in. */
let inner: FakeUpstream
beforeAll(async () => {
  scene = await startRelayScene()
  inner = startFakeUpstream(() => new Response('inner secret'))
})
afterEach(async () => {
  await scene.app.ctx.database.db.deleteFrom('relay_state').execute()
  await scene.clear()
})
afterAll(async () => {
  await scene.stop()
  await inner.stop()
})

const call = (path: string, init: RequestInit = {}) =>
  fetch(scene.app.url + path, { ...init, headers: { authorization: `Bearer ${scene.key}`, ...init.headers } })

/** A form with one file. */
function upload(): FormData {
  const form = new FormData()
  form.set('purpose', 'user_data')
  form.set('file', new Blob(['hello']), 'a.txt')
  return form
}

describe('a vendor that keeps things and sends the relay elsewhere', () => {
  const elsewhere = () => new Response(null, { status: 307, headers: { location: `${inner.url}/latest/meta-data` } })

  test.each([
    ['a file', 'file', 'file-1', 1, '/v1/files/file-1', {}],
    ['the content of a file', 'file', 'file-1', 1, '/v1/files/file-1/content', {}],
    ['a deletion', 'file', 'file-1', 1, '/v1/files/file-1', { method: 'DELETE' }],
    ['a file of Google', 'gemini-file', 'files/a', 24, '/v1beta/files/a', {}],
    ['the content of a file of Google', 'gemini-file', 'files/a', 24, '/v1beta/files/a:download?alt=media', {}],
    ['a new file', 'file', 'file-1', 1, '/v1/files', { method: 'POST' }],
    ['a response', 'response', 'resp_1', 1, '/v1/responses/resp_1', {}],
    ['a batch', 'batch', 'batch_1', 1, '/v1/batches/batch_1', {}],
  ] as const)('for %s is not followed, and is its own fault', async (_, kind, id, type, path, init) => {
    const channel = await scene.channel(elsewhere, { type, models: 'gpt-4o' })
    await giveId(scene, kind, id, channel.id)
    const answer = await call(path, path === '/v1/files' ? { ...init, body: upload() } : init)
    expect(answer.status).toBe(502)
    expect(await answer.text()).not.toContain('inner')
    expect(channel.seen).toHaveLength(1)
    expect(inner.seen).toEqual([])
  })

  const innerPort = () => new URL(inner.url).port

  test.each([
    ['a name', () => `http://localhost:${innerPort()}/`],
    ['a number', () => `http://2130706433:${innerPort()}/`],
    ['a mapped address', () => `http://[::ffff:127.0.0.1]:${innerPort()}/`],
    ['an address', () => inner.url],
    ['no address', () => 'http://['],
    ['another protocol', () => 'file:///etc/passwd'],
  ])('for the bytes of a video is followed to the public internet alone, not to %s', async (_, address) => {
    const moved = () => new Response(null, { status: 302, headers: { location: address() } })
    const channel = await scene.channel(
      ({ path }) => (path.endsWith('/content') ? moved() : Response.json({ id: 'video_1', status: 'completed' })),
      { models: 'sora-2' },
    )
    await giveId(scene, 'video', 'video_1', channel.id)
    const answer = await call('/v1/videos/video_1/content')
    expect(answer.status).toBe(502)
    expect(inner.seen).toEqual([])
  })

  test('for the bytes of an upload is not followed', async () => {
    const headers = { 'x-goog-upload-url': `${inner.url}/upload`, 'x-goog-upload-status': 'active' }
    await scene.channel(() => Response.json({}, { headers }), { type: 24, models: 'gpt-4o' })
    const start = { 'x-goog-upload-protocol': 'resumable', 'x-goog-upload-command': 'start' }
    const answer = await call('/upload/v1beta/files', { method: 'POST', headers: start, body: '{}' })
    expect(answer.status).toBe(502)
    expect(answer.headers.get('x-goog-upload-url')).toBeNull()
  })
})

describe('what a vendor keeps', () => {
  test.each([
    ['text/html', 'text/plain; charset=utf-8'],
    ['image/svg+xml', 'application/octet-stream'],
    ['application/xhtml+xml', 'text/plain; charset=utf-8'],
    ['application/javascript', 'application/octet-stream'],
    ['application/pdf', 'application/octet-stream'],
    ['image/png', 'image/png'],
  ])('and calls %s is shown as %s, and is inert', async (said, shown) => {
    const page = '<script>alert(1)</script>'
    const channel = await scene.channel(() => new Response(page, { headers: { 'content-type': said } }))
    await giveId(scene, 'file', 'file-1', channel.id)
    const answer = await call('/v1/files/file-1/content')
    expect(answer.headers.get('content-type')).toBe(shown)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(await answer.text()).toBe(page)
  })

  const endless = (status: number) => () => {
    const piece = Buffer.alloc(1024 * 1024, 'x')
    return new Response(new ReadableStream({ pull: (to) => to.enqueue(piece) }), { status })
  }

  test.each([
    [200, '/v1/files/file-1', 502],
    [429, '/v1/files/file-1', 429],
    [403, '/v1/files/file-1/content', 403],
  ])(
    'and does not end is read no further than is held (%d, %s)',
    async (status, path, shown) => {
      const channel = await scene.channel(endless(status))
      await giveId(scene, 'file', 'file-1', channel.id)
      expect((await call(path)).status).toBe(shown)
    },
    20_000,
  )
})
