import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import type { TestApp, TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
let root: TestClient
beforeAll(async () => {
  app = await borrowApp()
  root = await app.root()
})
afterAll(() => app.stop())

const exported = async () => (await root.call(api.config.export, {})).file
const plan = (file: string) => root.call(api.config.plan, { file, env: {} })

async function makeChannel(draft: { name: string; model_mapping?: string; overrides?: string }): Promise<number> {
  await root.call(api.channels.create, { key: 'k', models: 'm', ...draft })
  return (await root.call(api.channels.search, { keyword: draft.name })).list[0]?.id ?? 0
}

test.each([
  ['ModelRatio', '{"strange":-0,"other":1.0}'],
  ['ModelRatio', '{"__proto__":2}'],
  ['ModelRatio', '{"strange\\u0000":2}'],
  ['GroupRatio', '{"default":1,"__proto__":2}'],
  ['GroupRatio', '{"default":1,"strange\\u0000":2}'],
  ['ModelFallbacks', '{"strange":["\\ud800"]}'],
] as const)('the option %s of %p stands in the file as it is', async (key, value) => {
  await root.call(api.options.update, { key, value })
  const file = await exported()
  expect(await plan(file)).toEqual({ changes: [] })
  await root.call(api.options.update, { key, value: key === 'GroupRatio' ? '{"default":1}' : '{}' })
  await root.call(api.config.apply, { file, env: {} })
  const { value: now } = (await root.call(api.options.list, {})).find((option) => option.key === key) ?? {}
  expect(JSON.parse(now ?? '')).toEqual(JSON.parse(value))
})

test.each([
  ['a number beyond all numbers', { overrides: '{"set":{"top_k":1e400,"seed":-0}}' }],
  ['a null character', { overrides: '{"set":{"stop":"\\u0000"}}', model_mapping: '{"m":"\\u0000"}' }],
  ['half a pair', { model_mapping: '{"m":"\\udc00"}' }],
])('a channel with %s stands in the file as it is', async (name, fields) => {
  const id = await makeChannel({ name, ...fields })
  const file = await exported()
  expect(await plan(file)).toEqual({ changes: [] })
  await root.call(api.channels.update, { id, model_mapping: '', overrides: '' })
  await root.call(api.config.apply, { file, env: {} })
  expect(await root.call(api.channels.get, { id })).toMatchObject(fields)
})

test.each([
  ['RetryTimes', 'abc'],
  ['QuotaPerUnit', '1e400'],
  ['ModelRatio', '{"strange":1e400}'],
  ['ModelRatio', '{"strange":'],
  ['GroupRatio', '{"default":-1}'],
  ['TimeZone', 'Nowhere/Atlantis'],
] as const)('the option %s that was stored as %p, with which nothing works, is not in the file', async (key, value) => {
  const { db } = app.ctx.database
  const byDefault = () => db.deleteFrom('options').where('key', '=', key).execute()
  await byDefault()
  const file = await exported()
  await db.insertInto('options').values({ key, value }).execute()
  expect(await exported()).toBe(file)
  expect(await plan(file)).toEqual({ changes: [] })
  await byDefault()
})

test('a channel that came as no form would take it can be planned, and a field of it that is edited is checked', async () => {
  const id = await makeChannel({ name: 'imported' })
  const { db } = app.ctx.database
  const odd = { models: '', other: 'x'.repeat(600), group: 'g'.repeat(40), base_url: 'no address', status: 2 }
  await db.updateTable('channels').set(odd).where('id', '=', id).execute()
  const file = await exported()
  expect(await plan(file)).toEqual({ changes: [] })
  await root.call(api.config.apply, {
    file: `${file.replace('name: imported', 'name: imported\n    priority: 4')}`,
    env: {},
  })
  expect(await root.call(api.channels.get, { id })).toMatchObject({ ...odd, priority: 4 })
  const edited = (await exported()).replace('g'.repeat(40), 'g'.repeat(41))
  expect((await root.raw(api.config.plan, { file: edited, env: {} })).message).toContain('channels.imported.group')
})

test('a name or a text that looks like a number is taken as it is written', async () => {
  const id = await makeChannel({ name: '007' })
  const file = [
    'options: {SystemName: 1.10, GitHubClientId: 12345678901234567890, RetryTimes: 0x3}',
    'prices: {ModelRatio: {1.10: 2.50, 1.1: 3, 1e3: 4, ~: 5}}',
    'channels: [{name: "007", key: (kept), models: [4.10, 0x10, 1_0], group: [01], tags: [1.0], weight: 0x2}]',
  ].join('\n')
  await root.call(api.config.apply, { file, env: {} })
  const set = new Map((await root.call(api.options.list, {})).map(({ key, value }) => [key, value]))
  expect([set.get('SystemName'), set.get('GitHubClientId'), set.get('RetryTimes')]).toEqual([
    '1.10',
    '12345678901234567890',
    '3',
  ])
  expect(JSON.parse(set.get('ModelRatio') ?? '')).toEqual({ '1.10': 2.5, '1.1': 3, '1e3': 4, '~': 5 })
  const channel = await root.call(api.channels.get, { id })
  expect(channel).toMatchObject({ models: '4.10,0x10,1_0', group: '01', tags: '1.0', weight: 2 })
  expect(await plan(file)).toEqual({ changes: [] })
  expect(await plan(await exported())).toEqual({ changes: [] })
})
