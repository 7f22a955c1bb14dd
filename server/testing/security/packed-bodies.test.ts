import { afterAll, beforeAll, expect, test } from 'bun:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { epochSeconds } from '#server/context.ts'
import { addresses } from '#server/relay/relay.routes.ts'
import { stateRow } from '#server/relay/state/keep-answer.ts'
import { keepState } from '#server/relay/state/state.store.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

const megabyte = 1024 * 1024
let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
  await scene.channel(chatAnswer('hello', { prompt_tokens: 5, completion_tokens: 10 }))
})
afterAll(() => scene.stop())

const send = (path: string, body: Uint8Array, encoding: string) =>
  fetch(scene.app.url + path, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: { authorization: `Bearer ${scene.key}`, 'content-encoding': encoding, 'content-type': 'application/json' },
  })

const refusal = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { error: { code: string } }).error,
]

const repeated = Buffer.from(
  JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: ' '.repeat(30 * megabyte) }] }),
)

test.each([
  ['gzip', gzipSync(repeated)],
  ['deflate', deflateSync(repeated)],
  ['br', brotliCompressSync(repeated)],
  ['zstd', zstdCompressSync(repeated)],
  ['gzip, gzip', gzipSync(gzipSync(repeated))],
] as const)('a body of nothing but repetition, packed as %s, is not unpacked to its end', async (encoding, body) => {
  const answer = await send('/v1/chat/completions', body, encoding)
  expect(await refusal(answer)).toMatchObject([413, { message: expect.stringContaining('200 times') }])
})

test('a packed body that grows as texts do is read, and so is a short one of repetition', async () => {
  const letters = Array.from({ length: megabyte }, (_, at) => ((at * 7919) % 65_521).toString(36)).join(' ')
  for (const content of [letters, ' '.repeat(3 * megabyte)]) {
    const body = gzipSync(JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }] }))
    const { status } = await send('/v1/chat/completions', body, 'gzip')
    expect([200, 402]).toContain(status)
  }
})

const prose = Buffer.from(
  JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'some words '.repeat(20_000) }] }),
)

test.each([
  ['gzip', gzipSync(prose)],
  ['deflate', deflateSync(prose)],
  ['br', brotliCompressSync(prose)],
  ['zstd', zstdCompressSync(prose)],
  ['zstd', Buffer.concat([zstdCompressSync(prose.subarray(0, 1000)), zstdCompressSync(prose.subarray(1000))])],
] as const)(
  'a body packed as %s is broken wherever it is cut off, and whole where it is not',
  async (encoding, body) => {
    expect((await send('/v1/chat/completions', body, encoding)).status).toBe(200)
    for (const length of [0, 1, 5, 12, body.length >> 1, body.length - 4, body.length - 1]) {
      const answer = await send('/v1/chat/completions', body.subarray(0, length), encoding)
      expect([length, ...(await refusal(answer))]).toEqual([
        length,
        400,
        expect.objectContaining({
          code: 'invalid_encoding',
          message: expect.stringContaining(`not valid ${encoding}`),
        }),
      ])
    }
  },
)

test('a body that is not packed as it says is broken', async () => {
  for (const encoding of ['gzip', 'deflate', 'br', 'zstd']) {
    const answer = await send('/v1/chat/completions', prose, encoding)
    expect(await refusal(answer)).toMatchObject([400, { code: 'invalid_encoding' }])
  }
})

/** Calls whose body is not looked at, or is sent on as it comes. */
const readNothing = /cancel$|\/parts$/

const broken = Buffer.from('not packed at all')

test('what is packed stays packed for who has nothing left, wherever it is sent', async () => {
  await scene.root.call(api.users.update, { id: scene.userId, quota: 0 })
  const { ctx } = scene.app
  const kept = { userId: scene.userId, now: epochSeconds(ctx), days: 1 }
  const rows = (['upload', 'video', 'conversation'] as const).map((kind) => stateRow({ ...kept, kind, id: kind }))
  await keepState(ctx.database.db, rows)
  const paths = addresses
    .filter(({ method, path }) => method === 'POST' && !readNothing.test(path))
    .map(({ path }) => path.replace('{model}', 'gpt-4o').replace('{version}', 'v1beta'))
    .map((path) => path.replace(/(upload|video|conversation)s\/\{id\}/, '$1s/$1'))
  expect(paths.length).toBeGreaterThan(30)
  for (const path of paths) expect([path, (await send(path, broken, 'gzip')).status]).toEqual([path, 402])
  await scene.root.call(api.users.update, { id: scene.userId, quota: 1_000_000 })
})
