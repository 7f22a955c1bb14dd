import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { channelsApi } from '#shared/api/channels.ts'
import type { ChannelFilter } from '#shared/channel-filter.ts'
import type { ArgsOf } from '#shared/contract.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await borrowApp()
  admin = await signIn(app, { role: 'admin' })
  await make({ name: 'alpha', tags: 'eu,cheap', type: 1, models: 'gpt-4o,gpt-4o-mini', group: 'default,vip' })
  await make({ name: 'beta', tags: 'eu-west', type: 14, models: 'claude-3', group: 'vip' })
  await make({ name: 'gamma', type: 1, models: 'gpt-4o-mini,a_b', group: 'default' })
  await admin.call(channelsApi.update, { id: (await found({}, 'gamma'))[0]?.id ?? 0, status: 2 })
})
afterAll(() => app.stop())

const make = (draft: Partial<ArgsOf<typeof channelsApi.create>>) =>
  admin.call(channelsApi.create, { name: '', key: 'sealed-key', models: '', ...draft })

const found = async (filter: ChannelFilter, keyword = '') =>
  (await admin.call(channelsApi.search, { keyword, ...filter })).list

const names = async (filter: ChannelFilter, keyword = '') =>
  (await found(filter, keyword)).map(({ name }) => name).toSorted()

test('the list is narrowed by type, status, group and model, all at once', async () => {
  expect(await names({ type: 1 })).toEqual(['alpha', 'gamma'])
  expect(await names({ status: 2 })).toEqual(['gamma'])
  expect(await names({ group: 'vip' })).toEqual(['alpha', 'beta'])
  expect(await names({ model: 'gpt-4o' })).toEqual(['alpha'])
  expect(await names({ model: 'gpt-4o-mini', group: 'default', type: 1, status: 1 })).toEqual(['alpha'])
  expect(await names({ model: 'gpt-4o-mini' }, 'gam')).toEqual(['gamma'])
  const listed = await admin.call(channelsApi.list, { type: 1 })
  expect(listed).toMatchObject({ total: 2, enabled: 1 })
})

test('a tag narrows the list, and the tags there are come with it', async () => {
  expect(await names({ tag: 'eu' })).toEqual(['alpha'])
  expect(await names({ tag: 'e' })).toEqual([])
  const { tags, total } = await admin.call(channelsApi.list, { tag: 'eu-west' })
  expect({ tags, total }).toEqual({ tags: ['cheap', 'eu', 'eu-west'], total: 1 })
})

test('a name means itself, not a pattern or a part', async () => {
  expect(await names({ model: 'gpt' })).toEqual([])
  expect(await names({ model: '%' })).toEqual([])
  expect(await names({ model: 'a_b' })).toEqual(['gamma'])
  expect(await names({ model: 'axb' })).toEqual([])
})

test('a status there is not is refused', async () => {
  expect((await admin.raw(channelsApi.list, { status: 9 })).message).toBe('status must be 1, 2 or 3')
})

test('a copy has the key and fields of its channel, is disabled and stands in the history', async () => {
  const [original] = await found({}, 'alpha')
  const copy = await admin.call(channelsApi.duplicate, { id: original?.id ?? 0 })
  expect(copy).toMatchObject({ name: 'alpha copy', status: 2, models: 'gpt-4o,gpt-4o-mini', group: 'default,vip' })
  const { db } = app.ctx.database
  const row = await db.selectFrom('channels').selectAll().where('id', '=', copy.id).executeTakeFirstOrThrow()
  expect(app.ctx.secrets.open(row.key_sealed)).toBe('sealed-key')
  const item = await db.selectFrom('history_items').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
  expect(item).toMatchObject({ kind: 'channel', target: String(copy.id), before: '' })
  expect((await admin.raw(channelsApi.duplicate, { id: 999_999 })).code).toBe('channel.not_found')
})
