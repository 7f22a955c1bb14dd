import { afterEach, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { chatAnswer, startFakeUpstream } from '#server/testing/fake-upstream.ts'
import { ask, balanceOf, importInto } from '#server/testing/import-scene.ts'
import { insertRow, type Row } from '#server/testing/old-database.ts'
import { createOneHub, keys } from '#server/testing/one-hub/data.ts'

const opened: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.stop()
})

const both = 'two-groups'
const token = { user_id: 2, status: 1, name: 'two', created_time: 1, accessed_time: 1, expired_time: -1, used_quota: 0 }

/** ann has a token of the group `default`, ratio 1, with the backup `team`, ratio 0.5. */
async function scene(more: readonly (readonly [table: string, row: Row])[] = [], backup = 'team') {
  const usage = { prompt_tokens: 1000, completion_tokens: 100 }
  const upstream = startFakeUpstream(chatAnswer('hello', usage))
  const old = await createOneHub(upstream.url)
  const quota = { remain_quota: 500_000, unlimited_quota: false, setting: '{}' }
  await old.run((engine) => [
    insertRow(engine, 'tokens', { id: 90, ...token, ...quota, key: both, group: 'default', backup_group: backup }),
    ...more.map(([table, row]) => insertRow(engine, table, row)),
  ])
  const app = await borrowApp()
  opened.push(upstream, app)
  const report = (await importInto(app, { source: old.address })).lines().join('\n')
  const charge = async (key: string, model: string): Promise<number | null> => {
    const before = await balanceOf(app, 'ann')
    const { status } = await ask(app, key, model)
    return status === 200 ? before - (await balanceOf(app, 'ann')) : null
  }
  return { app, report, charge }
}

const channel = (fields: Row): readonly ['channels', Row] => [
  'channels',
  { id: 90, type: 1, key: 'up-90', status: 1, name: 'other', weight: 1, base_url: 'http://127.0.0.1:1', ...fields },
]

test('a token with a backup group pays for each channel what its group pays, and other tokens reach what they did', async () => {
  const { app, charge, report } = await scene()
  expect(await charge(both, 'gpt-4o')).toBe(3250)
  expect(await charge(both, 'team-model')).toBe(16_500)
  expect(await charge(keys.plain, 'team-model')).toBeNull()
  expect(await charge(keys.team, 'gpt-4o')).toBe(1625)
  expect(report).not.toContain('backup group')
  const { GroupRatio, GroupLimits } = app.ctx.options()
  expect([GroupRatio['team@default'], GroupLimits['team@default']?.rpm]).toEqual([0.5, 90])
})

test('a backup that would be asked before the first group is left out, and listed', async () => {
  const same = { models: 'gpt-4o', group: 'team', priority: 5 }
  const { charge, report } = await scene([channel(same)])
  expect(report).toContain(
    'backup group of the token is not used here: it is closed, or would be asked before its first group: token 90',
  )
  expect(await charge(both, 'gpt-4o')).toBe(3250)
  expect(await charge(both, 'team-model')).toBeNull()
})

test('a backup whose channels come after those of the first group is kept', async () => {
  const { charge, report } = await scene([channel({ models: 'gpt-4o', group: 'team', priority: 4 })])
  expect(report).not.toContain('backup group')
  expect(await charge(both, 'gpt-4o')).toBe(3250)
})

test('a backup group that is closed opens nothing', async () => {
  const { charge, report } = await scene([channel({ models: 'shut-model', group: 'shut', priority: 0 })], 'shut')
  expect(report).toContain('token 90')
  expect(await charge(both, 'gpt-4o')).toBe(3250)
  expect(await charge(both, 'shut-model')).toBeNull()
})
