import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { stateRow } from '#server/relay/state/keep-answer.ts'
import { keepState, type StateKind } from '#server/relay/state/state.store.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { type SdkClients, sdkClients } from '#server/testing/sdk-clients.ts'

let scene: RelayScene
let own: SdkClients
/** Ids the vendor has let go. */
const gone = new Set<string>()

beforeAll(async () => {
  scene = await startRelayScene()
  own = sdkClients(scene.app.url, scene.key)
})
beforeEach(() => gone.clear())
afterEach(async () => {
  await scene.clear()
  await scene.app.ctx.database.db.deleteFrom('relay_state').execute()
})
afterAll(() => scene.stop())

const count = 1005
const now = Math.floor(Date.now() / 1000)

/** So many things, a hundred in each second, newest first as lists show them. */
async function fill(kind: StateKind, idOf: (at: number) => string, more: (at: number) => object = () => ({})) {
  const { ctx } = scene.app
  const vendor = await scene.channel(
    ({ url }) => {
      const id = new URL(url).pathname.split('/').at(-1) ?? ''
      return gone.has(id)
        ? Response.json({ error: { message: 'no such thing' } }, { status: 404 })
        : Response.json({ id, name: `cachedContents/${id}`, object: 'video', status: 'completed', model: 'sora-2' })
    },
    { type: kind === 'cache' ? 24 : 1 },
  )
  const { key_hash } = await ctx.database.db
    .selectFrom('channels')
    .select('key_hash')
    .where('id', '=', vendor.id)
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: count }, (_, at) => {
    const id = idOf(at)
    const named = kind.startsWith('gemini') ? { name: id } : { id }
    const body_sealed = ctx.secrets.seal(JSON.stringify({ ...named, purpose: 'user_data', ...more(at) }))
    const thing = { userId: scene.userId, kind, id, now: now + Math.floor(at / 100), days: 30 }
    return stateRow(thing, { channel_id: vendor.id, key_hash, body_sealed })
  })
  await keepState(ctx.database.db, rows)
  return rows.map(({ id }) => id).toReversed()
}

const numbered = (prefix: string) => (at: number) => `${prefix}${String(at).padStart(5, '0')}`

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of pages) found.push(one)
  return found
}
const ids = async (pages: AsyncIterable<{ id: string }>) => (await all(pages)).map(({ id }) => id)

describe('the official clients page through more than a thousand', () => {
  test('files of OpenAI, in either order, whatever the size of a page', async () => {
    const expected = await fill('file', numbered('file-'))
    expect(await ids(own.openai.files.list())).toEqual(expected)
    expect(await ids(own.openai.files.list({ limit: 99 }))).toEqual(expected)
    expect(await ids(own.openai.files.list({ limit: 100, order: 'asc' }))).toEqual(expected.toReversed())
  })

  test('files of one purpose', async () => {
    const purpose = (at: number) => ({ purpose: at % 201 === 0 ? 'batch' : 'user_data' })
    const expected = (await fill('file', numbered('file-'), purpose)).filter((id) => Number(id.slice(5)) % 201 === 0)
    expect(await ids(own.openai.files.list({ purpose: 'batch', limit: 2 }))).toEqual(expected)
    const page = await own.openai.files.list({ purpose: 'batch', limit: 5 })
    expect(page.has_more).toBe(false)
  })

  test('batches of OpenAI', async () => {
    const expected = await fill('batch', numbered('batch_'))
    expect(await ids(own.openai.batches.list())).toEqual(expected)
    expect(await ids(own.openai.batches.list({ limit: 67, after: expected[10] ?? '' }))).toEqual(expected.slice(11))
  })

  test('videos of OpenAI, past those its vendor has let go', async () => {
    const expected = await fill('video', numbered('video_'))
    for (const id of expected.slice(100, 225)) gone.add(id)
    const found = await ids(own.openai.videos.list({ limit: 100 }))
    expect(found).toEqual(expected.filter((id) => !gone.has(id)))
    expect(await ids(own.openai.videos.list({ limit: 100, order: 'asc' }))).toEqual(found.toReversed())
  })

  test('files and batches of Anthropic, forwards and backwards', async () => {
    const files = await fill('anthropic-file', numbered('file_'))
    expect(await ids(own.anthropic.beta.files.list({ limit: 100 }))).toEqual(files)
    const some = [files[3] ?? '', 'file_of_nobody', files[1000] ?? '']
    expect(await ids(own.anthropic.beta.files.list({ ids: some }))).toEqual([some[0] ?? '', some[2] ?? ''])
    const batches = await fill('anthropic-batch', numbered('msgbatch_'))
    expect(await ids(own.anthropic.messages.batches.list({ limit: 1000 }))).toEqual(batches)
    const before = await ids(own.anthropic.messages.batches.list({ limit: 300, before_id: batches[700] ?? '' }))
    expect(before.slice(0, 300)).toEqual(batches.slice(400, 700))
    expect(before.toSorted()).toEqual(batches.slice(0, 700).toSorted())
  })

  test('files and caches of Google', async () => {
    const files = await fill('gemini-file', numbered('files/f'))
    const listed = await all(await own.google.files.list({ config: { pageSize: 100 } }))
    expect(listed.map(({ name }) => name)).toEqual(files)
    const caches = await fill('cache', numbered('cachedContents/c'))
    const kept = await all(await own.google.caches.list({ config: { pageSize: 90 } }))
    expect(kept.map(({ name }) => name)).toEqual(caches)
  })
})

test('a page says what is in it and whether there is more', async () => {
  const expected = await fill('file', numbered('file-'))
  const headers = { authorization: `Bearer ${scene.key}` }
  const page = async (query: string) => (await fetch(`${scene.app.url}/v1/files?${query}`, { headers })).json()
  expect(await page('limit=3')).toMatchObject({ first_id: expected[0], last_id: expected[2], has_more: true })
  const last = await page(`limit=3&after=${expected.at(-4)}`)
  expect(last).toMatchObject({ first_id: expected.at(-3), last_id: expected.at(-1), has_more: false })
  expect(await page(`after=${expected.at(-1)}`)).toMatchObject({ data: [], first_id: null, has_more: false })
})

test('what is made or deleted while one pages neither repeats nor hides anything else', async () => {
  const expected = await fill('file', numbered('file-'))
  const { db } = scene.app.ctx.database
  const found: string[] = []
  for await (const { id } of own.openai.files.list({ limit: 100 })) {
    found.push(id)
    if (found.length % 100 === 50) await db.deleteFrom('relay_state').where('id', '=', id).execute()
  }
  expect(found).toEqual(expected)
})
