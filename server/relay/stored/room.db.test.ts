import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { isSqlite } from '#server/db/database.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(async () => {
  await scene.clear()
  await scene.app.ctx.database.db.deleteFrom('relay_state').execute()
})
afterAll(() => scene.stop())

const plain = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })

/** Things of the user's that are there already, all with one body. */
const fill = (kind: string, count: number, body = sql`''`) =>
  sql`insert into relay_state
    (user_id, id, kind, channel_id, key_hash, parent, status, node, body_sealed, created_at, expires_at)
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
    select ${sql.lit(scene.userId)}, 'x' || n, ${sql.lit(kind)}, 0, '', '', '', '', ${body}, 0, 4000000000
    from numbers`.execute(scene.app.ctx.database.db)

const refusal = async (answer: Response) => {
  expect(answer.status).toBe(400)
  return ((await answer.json()) as { error: { message: string; code: string } }).error
}

test('a user with as many conversations as there may be makes no more, until one is gone', async () => {
  await scene.channel(plain, { type: 14 })
  await fill('conversation', 99_999)
  const last = (await (await scene.post('/v1/conversations', {})).json()) as { id: string }
  const error = await refusal(await scene.post('/v1/conversations', {}))
  expect(error).toMatchObject({ code: 'limit_reached' })
  expect(error.message).toContain('100000 conversations')
  const items = [{ type: 'message', role: 'user', content: 'hi' }]
  expect((await scene.post(`/v1/conversations/${last.id}/items`, { items })).status).toBe(200)
  await scene.post(`/v1/conversations/${last.id}`, {}, { method: 'DELETE', body: null })
  expect((await scene.post('/v1/conversations', {})).status).toBe(200)
})

test('conversations that are as large together as they may be grow no more', async () => {
  await scene.channel(plain, { type: 14 })
  const { id } = (await (await scene.post('/v1/conversations', {})).json()) as { id: string }
  const megabytes = isSqlite(scene.app.ctx.database.db) ? sql`hex(zeroblob(16777216))` : sql`repeat('x', 33554432)`
  await fill('conversation', 8, megabytes)
  const items = [{ type: 'message', role: 'user', content: 'hi' }]
  for (const path of ['/v1/conversations', `/v1/conversations/${id}/items`, `/v1/conversations/${id}`])
    expect((await refusal(await scene.post(path, { items, metadata: {} }))).message).toContain('256 MB')
})

test.each([
  ['file', '/v1/files', {}],
  ['anthropic-file', '/v1/files', { 'anthropic-version': '2023-06-01' }],
  ['gemini-file', '/upload/v1beta/files', {}],
  ['file', '/v1/uploads', {}],
  ['upload', '/v1/uploads', {}],
])('a user with as many of the kind %s as there may be sends no more to %s', async (kind, path, more) => {
  const channels = [await scene.channel(plain), await scene.channel(plain, { type: 24 })]
  await fill(kind, 100_000)
  const headers = { 'content-type': 'multipart/form-data; boundary=b', ...more }
  const answer = await scene.post(path, {}, { headers: { authorization: `Bearer ${scene.key}`, ...headers } })
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('A user may have 100000')
  for (const { seen } of channels) expect(seen).toEqual([])
})
