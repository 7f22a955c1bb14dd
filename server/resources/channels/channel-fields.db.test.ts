import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { channelsApi } from '#shared/api/channels.ts'
import type { ArgsOf } from '#shared/contract.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await borrowApp()
  admin = await signIn(app, { role: 'admin' })
})
afterAll(() => app.stop())

async function makeChannel(draft: Partial<ArgsOf<typeof channelsApi.create>> = {}) {
  await admin.call(channelsApi.create, { name: 'channel', key: 'secret-key', models: 'a,b', ...draft })
  const row = (await admin.call(channelsApi.list, { pagesize: 1 })).list[0]
  if (!row) throw new Error('no channel')
  return row
}

const stored = (id: number) =>
  app.ctx.database.db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a channel without them has none of the new fields', async () => {
  const none = { tags: '', headers: '', overrides: '', proxy: '', pool: false, test_model: '', keys: [] }
  expect(await makeChannel()).toMatchObject(none)
})

test('tags, headers, overrides and test model are kept as they were given', async () => {
  const given = {
    tags: 'eu,cheap',
    headers: '{"x-team": "blue"}',
    overrides: '{"set":{"temperature":0},"default":{"top_p":1},"remove":["user"]}',
    test_model: 'b',
  }
  const { id, ...channel } = await makeChannel({ ...given, tags: ' eu,cheap, eu,' })
  expect(channel).toMatchObject(given)
  expect((await admin.call(channelsApi.search, { keyword: 'cheap' })).list.map((row) => row.id)).toEqual([id])
  expect(await admin.call(channelsApi.update, { id, tags: '', headers: '', overrides: '' })).toMatchObject({
    tags: '',
    headers: '',
    overrides: '',
    test_model: 'b',
  })
})

test.each(['https://ann:hush-hush@host.example/v1', 'https://ann@host.example', 'wss://@host.example'])(
  'the address %s is refused: a credential belongs into the key or the headers',
  async (base_url) => {
    const { id } = await makeChannel({ base_url: 'https://host.example/@v1' })
    const refused = {
      success: false,
      field: 'base_url',
      message: expect.stringContaining('into the key or the headers'),
    }
    expect(await admin.raw(channelsApi.update, { id, base_url, key: 'k' })).toMatchObject(refused)
    const draft = { name: 'channel', key: 'k', models: 'a', base_url }
    expect(await admin.raw(channelsApi.create, draft)).toMatchObject(refused)
  },
)

test('the password of a proxy is sealed and masked, and the mask sent back keeps it', async () => {
  const { id, proxy } = await makeChannel({ proxy: 'socks5://ann:hush-hush@proxy.example:1080' })
  expect(proxy).toBe('socks5://ann:***@proxy.example:1080')
  const sealed = (await stored(id)).proxy_sealed
  expect(sealed).not.toContain('hush')
  await admin.call(channelsApi.update, { id, proxy, weight: 3 })
  expect(app.ctx.secrets.open((await stored(id)).proxy_sealed)).toBe('socks5://ann:hush-hush@proxy.example:1080')
  const elsewhere = await admin.raw(channelsApi.update, { id, proxy: 'http://ann:***@evil.example:1080' })
  expect(elsewhere.message).toBe('please fill in the password of the proxy')
  expect((await stored(id)).proxy_sealed).toBe(sealed)
  expect(await admin.call(channelsApi.update, { id, proxy: '' })).toMatchObject({ proxy: '' })
  const notes = await app.ctx.database.db.selectFrom('logs').select('content').execute()
  expect(JSON.stringify(notes)).not.toContain('hush')
})

test('the log says that headers changed, not what is in them', async () => {
  const { id } = await makeChannel({ headers: '{"x-team-token":"planted-before"}' })
  await admin.call(channelsApi.update, { id, headers: '{"x-team-token":"planted-after"}', weight: 3 })
  const notes = (await app.ctx.database.db.selectFrom('logs').select('content').execute()).map(({ content }) => content)
  expect(notes.join()).toContain('weight from "0" to "3", headers changed')
  expect(notes.join()).not.toContain('planted')
})

test('several lines of keys stay one channel with a pool', async () => {
  const before = (await admin.call(channelsApi.list, {})).total
  const channel = await makeChannel({ key: 'one\n two \n\nthree\none', pool: true })
  expect((await admin.call(channelsApi.list, {})).total).toBe(before + 1)
  const well = { resting_until: 0, last_fault: '' }
  expect(channel).toMatchObject({ pool: true, key: '', keys: [well, well, well] })
  expect(app.ctx.secrets.open((await stored(channel.id)).key_sealed)).toBe('one\ntwo\nthree')
  const { id } = channel
  expect((await admin.raw(channelsApi.update, { id, pool: false })).message).toContain('a channel has one key')
  expect(await admin.call(channelsApi.update, { id, key: 'four\nfive' })).toMatchObject({ keys: [well, well] })
  expect(await admin.call(channelsApi.update, { id, key: 'six', pool: false })).toMatchObject({ pool: false, keys: [] })
})

describe('refused, with nothing made', () => {
  test.each([
    ['headers that end a line', { headers: '{"x-a":"b\\r\\nauthorization: x"}' }, 'must stand on one line'],
    ['a header name that ends a line', { headers: '{"x-a\\n":"b"}' }, 'cannot be sent'],
    ['headers over our credentials', { headers: '{"Authorization":"Bearer x"}' }, 'set by the relay itself'],
    ['headers over our key', { headers: '{"X-Api-Key":"x"}' }, 'set by the relay itself'],
    ['headers that are no object', { headers: '["a"]' }, 'headers must be a JSON object'],
    ['a header that is no text', { headers: '{"x-a":1}' }, 'must be text'],
    ['overrides that are no JSON', { overrides: '{' }, 'overrides must be a JSON object'],
    ['overrides with another part', { overrides: '{"put":{}}' }, 'put is none of them'],
    ['overrides of the model', { overrides: '{"set":{"model":"x"}}' }, 'must not touch model'],
    ['overrides that take the messages', { overrides: '{"remove":["messages"]}' }, 'must not touch messages'],
    ['overrides that take the limit', { overrides: '{"remove":["max_tokens"]}' }, 'must not touch max_tokens'],
    ['overrides of credentials', { overrides: '{"default":{"api_key":"x"}}' }, 'must not touch credentials'],
    ['overrides that remove a number', { overrides: '{"remove":[1]}' }, 'remove must be a list'],
    ['a proxy of another kind', { proxy: 'ftp://host' }, 'the proxy must be an http, https or socks5 address'],
    ['a proxy with a path', { proxy: 'http://host/path' }, 'the proxy must be an http, https or socks5 address'],
    ['a proxy with a bare %', { proxy: 'socks5://ann:50%off@host:1080' }, 'write % as %25'],
    ['a proxy that is no address', { proxy: 'host:1080' }, 'the proxy must be an http, https or socks5 address'],
  ])('%s', async (_, more, message) => {
    const before = (await admin.call(channelsApi.list, {})).total
    const answer = await admin.raw(channelsApi.create, { name: 'a', key: 'k', models: 'm', ...more })
    expect(answer.success).toBe(false)
    expect(answer.message).toContain(message)
    expect((await admin.call(channelsApi.list, {})).total).toBe(before)
  })
})

describe('a batch', () => {
  test('changes channels by id or tag', async () => {
    const one = await makeChannel({ tags: 'batch-a' })
    const two = await makeChannel({ tags: 'batch-a,x' })
    const three = await makeChannel({ tags: 'batch-ab' })
    expect(await admin.call(channelsApi.batch, { tag: 'batch-a', change: { priority: 9, add_models: 'c, d' } })).toBe(2)
    for (const { id } of [one, two]) {
      expect(await admin.call(channelsApi.get, { id })).toMatchObject({ priority: 9, models: 'a,b,c,d' })
    }
    expect(await admin.call(channelsApi.get, { id: three.id })).toMatchObject({ priority: 0 })
    const ids = [one.id, three.id]
    const change = { status: 2, weight: 5, group: 'vip', tags: 'new', remove_models: 'a' }
    expect(await admin.call(channelsApi.batch, { ids, change })).toBe(2)
    expect(await admin.call(channelsApi.get, { id: one.id })).toMatchObject({
      status: 2,
      weight: 5,
      group: 'vip',
      tags: 'new',
      models: 'b,c,d',
    })
    expect(await admin.call(channelsApi.get, { id: three.id })).toMatchObject({ models: 'b', group: 'vip' })
  })

  test('adds no more models than a channel may have', async () => {
    const { id } = await makeChannel()
    const names = (letter: string) => Array.from({ length: 500 }, (_, at) => `${letter.repeat(150)}${at}`).join(',')
    await admin.call(channelsApi.batch, { ids: [id], change: { add_models: names('c') } })
    const { models } = await admin.call(channelsApi.get, { id })
    const refused = await admin.raw(channelsApi.batch, { ids: [id], change: { add_models: names('d') } })
    expect(refused).toMatchObject({ success: false, message: 'model is too long' })
    expect(await admin.call(channelsApi.get, { id })).toMatchObject({ models })
    expect((await admin.raw(channelsApi.update, { id, models })).success).toBe(true)
  })

  test('deletes several at once', async () => {
    const [one, two] = [await makeChannel(), await makeChannel()]
    const answer = await admin.fetch(`/api/channel/batch?ids=${one.id},${two.id}`, { method: 'DELETE' })
    expect(await answer.json()).toMatchObject({ success: true, data: 2 })
    expect((await admin.raw(channelsApi.get, { id: one.id })).code).toBe('channel.not_found')
  })

  test('with one wrong id, tag or field changes nothing', async () => {
    const { id } = await makeChannel({ tags: 'lonely' })
    const before = await admin.call(channelsApi.get, { id })
    const refusals = [
      { ids: [id, 999_999], change: { weight: 7 } },
      { tag: 'no-such-tag', change: { weight: 7 } },
      { ids: [id], change: {} },
      { ids: [id], change: { add_models: '', remove_models: ' , ' } },
      { ids: [], change: { weight: 7 } },
      { change: { weight: 7 } },
      { ids: [id], tag: 'lonely', change: { weight: 7 } },
      { ids: [id], change: { weight: 7, name: 'x' } },
      { ids: [id], change: { status: 3 } },
      { ids: [id], change: { weight: 7, remove_models: 'a,b' } },
    ]
    for (const body of refusals) {
      const answer = await admin.fetch('/api/channel/batch', { method: 'PUT', body: JSON.stringify(body) })
      expect(await answer.json()).toMatchObject({ success: false })
      expect(await admin.call(channelsApi.get, { id })).toEqual(before)
    }
    for (const ids of [`${id},999999`, '', 'x', `${id},,`]) {
      const answer = await admin.fetch(`/api/channel/batch?ids=${ids}`, { method: 'DELETE' })
      expect(await answer.json()).toMatchObject({ success: false })
    }
    expect(await admin.call(channelsApi.get, { id })).toEqual(before)
  })
})
