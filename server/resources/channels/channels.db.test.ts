import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { channelsApi } from '#shared/api/channels.ts'
import { optionsApi } from '#shared/api/options.ts'
import type { ArgsOf } from '#shared/contract.ts'

let app: TestApp
let admin: SignedIn

beforeAll(async () => {
  app = await borrowApp()
  admin = await signIn(app, { role: 'admin' })
})
afterAll(() => app.stop())

type Draft = Partial<ArgsOf<typeof channelsApi.create>>

const newest = async () => {
  const row = (await admin.call(channelsApi.list, { pagesize: 1 })).list[0]
  if (!row) throw new Error('no channel')
  return row
}

async function makeChannel(draft: Draft = {}) {
  await admin.call(channelsApi.create, { name: 'channel', key: 'secret-key', models: 'gpt-4o', ...draft })
  return newest()
}

const stored = (id: number) =>
  app.ctx.database.db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const lastNote = async () => {
  const { db } = app.ctx.database
  const row = await db.selectFrom('logs').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  return row.content
}

test('a new channel takes the defaults and never shows its key', async () => {
  const channel = await makeChannel({ key: 'sk-very-secret' })
  expect(channel).toMatchObject({
    name: 'channel',
    type: 1,
    key: '',
    status: 1,
    group: 'default',
    priority: 0,
    weight: 0,
    response_time: 0,
    balance: 0,
    unpriced_models: [],
  })
  expect(await admin.call(channelsApi.get, { id: channel.id })).toEqual(channel)
  const row = await stored(channel.id)
  expect(app.ctx.secrets.open(row.key_sealed)).toBe('sk-very-secret')
  expect(JSON.stringify([row, await lastNote()])).not.toContain('very-secret')
  expect(await lastNote()).toBe(`created channel ${channel.id} "channel" (OpenAI)`)
})

test('a channel sent as disabled is made disabled; no other status can be given', async () => {
  expect((await makeChannel({ status: 2 })).status).toBe(2)
  const of = (status: number) =>
    admin.raw(channelsApi.create, { name: 'channel', key: 'secret-key', models: 'gpt-4o', status })
  expect([(await of(3)).message, (await of(7)).message]).toEqual(Array(2).fill('status must be 1 or 2'))
})

test('each line of the key makes a channel of its own', async () => {
  const before = (await admin.call(channelsApi.list, {})).total
  await makeChannel({ key: 'one\n\n  two \r\nthree\n', models: 'a,b,a, ,b', group: 'default,vip,vip' })
  const { list, total } = await admin.call(channelsApi.list, {})
  expect(total).toBe(before + 3)
  const keys = await Promise.all(
    list.slice(0, 3).map(async ({ id }) => app.ctx.secrets.open((await stored(id)).key_sealed)),
  )
  expect(keys).toEqual(['three', 'two', 'one'])
  for (const { models, group } of list.slice(0, 3)) {
    expect([models, group]).toEqual(['a,b', 'default,vip'])
  }
})

test('a partial change touches what it names and keeps the key', async () => {
  const { id } = await makeChannel({ models: 'a', base_url: 'https://one.example/' })
  expect(await admin.call(channelsApi.update, { id, priority: 7 })).toMatchObject({ priority: 7, models: 'a' })
  expect(await admin.call(channelsApi.update, { id, weight: 3 })).toMatchObject({ priority: 7, weight: 3 })
  const change = { id, base_url: 'https://one.example/v2', weight: 0, key: ' ' }
  const moved = await admin.call(channelsApi.update, change)
  expect(moved).toMatchObject({ base_url: 'https://one.example/v2', weight: 0, name: 'channel' })
  expect(await lastNote()).toBe(
    `changed channel ${id} "channel" (OpenAI): base URL from "https://one.example" to "https://one.example/v2", weight from "3" to "0"`,
  )
  expect(app.ctx.secrets.open((await stored(id)).key_sealed)).toBe('secret-key')
  await admin.call(channelsApi.update, { id, key: 'replaced' })
  expect(app.ctx.secrets.open((await stored(id)).key_sealed)).toBe('replaced')
  expect(await lastNote()).toBe(`changed channel ${id} "channel" (OpenAI): key replaced`)
})

describe('a stored key', () => {
  test.each([
    ['another host', { base_url: 'https://evil.example' }],
    ['another port', { base_url: 'https://one.example:8443' }],
    ['another scheme', { base_url: 'http://one.example' }],
    ['an emptied address', { base_url: '' }],
    ['another type', { type: 20 }],
    ['a proxy', { proxy: 'http://evil.example:8080' }],
  ])('does not follow its channel to %s, whoever asks', async (_, change) => {
    const { id } = await makeChannel({ base_url: 'https://one.example' })
    for (const client of [admin, await app.root()]) {
      expect(await client.raw(channelsApi.update, { id, ...change })).toMatchObject({
        success: false,
        code: 'channel.key_needed',
        field: 'key',
      })
      expect(await stored(id)).toMatchObject({ base_url: 'https://one.example', type: 1 })
    }
    await admin.call(channelsApi.update, { id, ...change, key: 'a key of its own' })
    expect(app.ctx.secrets.open((await stored(id)).key_sealed)).toBe('a key of its own')
  })

  test('stays where another path, or the same address again, is given', async () => {
    const { id } = await makeChannel({ base_url: 'https://one.example' })
    for (const base_url of ['https://one.example/v1', 'https://ONE.example/', 'https://one.example:443']) {
      await admin.call(channelsApi.update, { id, base_url })
    }
    expect(app.ctx.secrets.open((await stored(id)).key_sealed)).toBe('secret-key')
  })
})

test('a deleted channel leaves a row in the log', async () => {
  const { id } = await makeChannel({ models: 'a,b' })
  await admin.call(channelsApi.remove, { id })
  expect(await lastNote()).toContain(`deleted channel ${id}`)
})

test('the toggle disables by hand and enables from any state', async () => {
  const { id } = await makeChannel()
  expect(await admin.call(channelsApi.update, { id, status: 2 })).toMatchObject({ status: 2 })
  expect(await lastNote()).toBe(`disabled channel ${id} "channel" (OpenAI)`)
  await app.ctx.database.db.updateTable('channels').set({ status: 3 }).where('id', '=', id).execute()
  expect(await admin.call(channelsApi.update, { id, status: 3, weight: 1 })).toMatchObject({ status: 3, weight: 1 })
  expect(await admin.call(channelsApi.update, { id, status: 1 })).toMatchObject({ status: 1 })
})

test('types 3 and 18 have a default for other', async () => {
  const azure = await makeChannel({ type: 3, base_url: 'https://x.openai.azure.com/' })
  expect(azure).toMatchObject({ other: '2024-03-01-preview', base_url: 'https://x.openai.azure.com' })
  expect(await makeChannel({ type: 18 })).toMatchObject({ other: 'v2.1' })
  expect(await makeChannel({ type: 18, other: 'v4.0' })).toMatchObject({ other: 'v4.0' })
  const { id } = await makeChannel()
  expect(await admin.call(channelsApi.update, { id, type: 18, key: 'a|b|c' })).toMatchObject({ other: 'v2.1' })
})

test('search finds id, whole key, and parts of name and address; wildcards mean themselves', async () => {
  const { id } = await makeChannel({ name: 'odd_100%', key: 'find-me', base_url: 'https://Far.Away.example' })
  const found = async (keyword: string) =>
    (await admin.call(channelsApi.search, { keyword, pagesize: 100 })).list.map((row) => row.id)
  expect(await found(String(id))).toContain(id)
  expect(await found('find-me')).toEqual([id])
  expect(await found('find-m')).toEqual([])
  expect(await found('00%')).toEqual([id])
  expect(await found('%')).toEqual([id])
  expect(await found('d_1')).toEqual([id])
  expect(await found('far.away')).toEqual([id])
  const all = await admin.call(channelsApi.list, {})
  expect(await admin.call(channelsApi.search, { keyword: '' })).toEqual(all)
})

test('the list counts the enabled ones, and all disabled ones go at once', async () => {
  const own = await borrowApp()
  const boss = await signIn(own, { role: 'admin' })
  await boss.call(channelsApi.create, { name: 'x', key: '1\n2\n3\n4', models: 'm' })
  const ids = (await boss.call(channelsApi.list, {})).list.map(({ id }) => id)
  await own.ctx.database.db
    .updateTable('channels')
    .set({ status: 3 })
    .where('id', '=', ids[0] ?? 0)
    .execute()
  await boss.call(channelsApi.update, { id: ids[1] ?? 0, status: 2 })
  expect(await boss.call(channelsApi.list, {})).toMatchObject({ total: 4, enabled: 2 })
  expect(await boss.call(channelsApi.removeDisabled, {})).toBe(2)
  expect(await boss.call(channelsApi.removeDisabled, {})).toBe(0)
  expect(await boss.call(channelsApi.list, {})).toMatchObject({ total: 2, enabled: 2 })
  await own.stop()
})

test('models without a price are named, unless they are mapped to one that has', async () => {
  const { id } = await makeChannel({
    models: 'gpt-4o,nobody-sells-this,my-alias',
    model_mapping: '{"my-alias":"gpt-4o"}',
  })
  expect((await admin.call(channelsApi.get, { id })).unpriced_models).toEqual(['nobody-sells-this'])
  await admin.call(optionsApi.update, { key: 'ModelRatio', value: '{"nobody-sells-this":1}' })
  expect((await admin.call(channelsApi.get, { id })).unpriced_models).toEqual([])
  const prices = await admin.call(channelsApi.prices, { models: 'nobody-sells-this, unknown-one' })
  expect(prices).toEqual([
    { model: 'nobody-sells-this', input: 2, output: 2, unit: 'million tokens' },
    { model: 'unknown-one', input: null, output: null, unit: '' },
  ])
})

test('every known model is listed once', async () => {
  const models = await admin.call(channelsApi.models, {})
  expect(new Set(models.map(({ id }) => id)).size).toBe(models.length)
  expect(models).toContainEqual({ id: 'gpt-4o', object: 'model', owned_by: 'OpenAI' })
})

test('changes are announced', async () => {
  const received: unknown[] = []
  const stop = app.ctx.changes.listen((change) => received.push(change))
  const { id } = await makeChannel()
  await admin.call(channelsApi.update, { id, status: 2 })
  await admin.call(channelsApi.remove, { id })
  stop()
  expect(received).toEqual([{ topic: 'channels' }, { topic: 'channels' }, { topic: 'channels' }])
})

describe('the server refuses', () => {
  const good = { name: 'a', key: 'k', models: 'm' }
  test.each([
    ['no name', { ...good, name: ' ' }, 'please fill in channel name and channel key'],
    ['no key', { name: 'a', models: 'm' }, 'please fill in channel name and channel key'],
    ['blank lines as key', { ...good, key: '\n \n' }, 'please fill in channel name and channel key'],
    ['no model', { name: 'a', key: 'k' }, 'please choose at least one model'],
    ['commas as models', { ...good, models: ' ,, ' }, 'please choose at least one model'],
    ['type 0', { ...good, type: 0 }, 'unknown channel type'],
    ['a mapping that is no JSON', { ...good, model_mapping: '{' }, 'model mapping must be a JSON object'],
    ['a mapping to a number', { ...good, model_mapping: '{"a":1}' }, 'model mapping must be a JSON object'],
    ['a negative weight', { ...good, weight: -1 }, 'weight must not be below 0'],
    ['half a priority', { ...good, priority: 1.5 }, 'priority must be a whole number'],
    ['an address of another kind', { ...good, base_url: 'file:///etc/passwd' }, 'base URL must begin with http'],
    ['type 3 without an address', { ...good, type: 3 }, 'please fill in the base URL'],
    ['type 8 without an address', { ...good, type: 8 }, 'please fill in the base URL'],
    ['an unknown field', { ...good, owner: 1 }, 'unknown field owner'],
    ['too many keys', { ...good, key: 'k\n'.repeat(501) }, 'at most 500 keys at once'],
  ])('to create a channel with %s', async (_, body, message) => {
    const before = (await admin.call(channelsApi.list, {})).total
    const answer = await admin.fetch('/api/channel/', { method: 'POST', body: JSON.stringify(body) })
    const envelope = (await answer.json()) as { success: boolean; message: string }
    expect(envelope.success).toBe(false)
    expect(envelope.message).toContain(message)
    expect((await admin.call(channelsApi.list, {})).total).toBe(before)
  })

  test.each([
    ['status 3 on an enabled one', { status: 3 }, 'status must be 1 or 2'],
    ['status 9', { status: 9 }, 'status must be 1 or 2'],
    ['no models', { models: '' }, 'please choose at least one model'],
    ['several keys', { key: 'a\nb' }, 'a channel has one key'],
    ['type 8 without an address', { type: 8 }, 'please fill in the base URL'],
  ])('to update one with %s', async (_, change, message) => {
    const channel = await makeChannel()
    expect((await admin.raw(channelsApi.update, { id: channel.id, ...change })).message).toContain(message)
    expect(await admin.call(channelsApi.get, { id: channel.id })).toEqual(channel)
  })

  test('ids that do not exist, or are not numbers', async () => {
    for (const endpoint of [channelsApi.get, channelsApi.remove]) {
      expect((await admin.raw(endpoint, { id: 999_999 })).code).toBe('channel.not_found')
    }
    expect((await admin.raw(channelsApi.update, { id: 999_999, weight: 1 })).code).toBe('channel.not_found')
    const answer = await admin.fetch('/api/channel/abc')
    expect(await answer.json()).toMatchObject({ success: false })
  })

  test('ordinary users on every route', async () => {
    const user = await signIn(app)
    expect((await user.raw(channelsApi.list, {})).status).toBe(403)
    expect((await user.raw(channelsApi.create, good)).status).toBe(403)
    expect((await user.raw(channelsApi.removeDisabled, {})).status).toBe(403)
  })
})
