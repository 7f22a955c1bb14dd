import { afterEach, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { chatAnswer, type FakeUpstream, startFakeUpstream } from '#server/testing/fake-upstream.ts'
import { ask, balanceOf, importInto } from '#server/testing/import-scene.ts'
import { insertRow } from '#server/testing/old-database.ts'
import { createOneHub, keys, passwords } from '#server/testing/one-hub/data.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

const opened: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.stop()
})

const usage = { prompt_tokens: 1000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 400 } }

async function scene(): Promise<{ app: TestApp; upstream: FakeUpstream; report: string }> {
  const upstream = startFakeUpstream(chatAnswer('hello', usage))
  const { address } = await createOneHub(upstream.url)
  const app = await borrowApp()
  opened.push(upstream, app)
  const report = (await importInto(app, { source: address, program: 'one-hub' })).lines().join('\n')
  return { app, upstream, report }
}

test('a database of one-hub keeps balances, passwords and top-ups, and who was deleted stays away', async () => {
  const { app, report } = await scene()
  const { db } = app.ctx.database
  const users = await db.selectFrom('users').select(['id', 'role', 'quota', 'github_id']).orderBy('id').execute()
  expect(users).toEqual([
    { id: 1, role: 100, quota: 900_000, github_id: '' },
    { id: 2, role: 1, quota: 1_000_000, github_id: '4711' },
  ])
  expect(await reconcile(db)).toEqual([])
  const ann = app.client()
  await ann.call(api.auth.login, { username: 'ann', password: passwords.ann })
  await ann.call(api.account.topUp, { key: 'code-1' })
  expect(await balanceOf(app, 'ann')).toBe(1_005_000)
  expect((await app.client().raw(api.auth.login, { username: 'gone', password: passwords.ann })).success).toBeFalse()
  expect(report).toContain('top-ups: 1')
  expect(report).toContain('days of statistics: 1.')
  expect(report).toContain('accounts with invitation rewards not yet taken: 1.')
  expect(report).toContain('channel 4 (drawing): Midjourney channels are not supported')
})

test('keys of one-hub keep exactly the rights they had', async () => {
  const { app } = await scene()
  const status = async (key: string, model: string) => (await ask(app, key, model)).status
  expect(await status(keys.plain, 'gpt-4o')).toBe(200)
  expect(await status(keys.plain, 'team-model')).not.toBe(200)
  expect(await status(keys.plain, 'deleted-model')).not.toBe(200)
  expect(await status(keys.models, 'gpt-4o')).toBe(200)
  expect(await status(keys.models, 'unknown')).not.toBe(200)
  expect(await status(keys.home, 'gpt-4o')).toBe(403)
  expect(await status(keys.team, 'team-model')).toBe(200)
  expect(await status(keys.backup, 'team-model')).toBe(200)
  for (const key of [keys.closed, keys.nothing, keys.expired, keys.off, keys.deleted, keys.gone]) {
    expect(await status(key, 'gpt-4o')).not.toBe(200)
  }
})

test('a key of one-hub whose limits cannot be read is switched off, not let go anywhere', async () => {
  const { app, report } = await scene()
  for (const key of [keys.torn, keys.shape]) expect((await ask(app, key, 'gpt-4o')).status).toBe(401)
  expect(report).toContain('its limits cannot be read, token disabled: token 12, token 13')
})

test('a group that was closed in one-hub serves no key made later either', async () => {
  const { app, report } = await scene()
  const ann = app.client()
  await ann.call(api.auth.login, { username: 'ann', password: passwords.ann })
  const later = await ann.call(api.tokens.create, { name: 'later', group: 'shut', unlimited_quota: true })
  expect((await ask(app, later.key, 'gpt-4o')).status).not.toBe(200)
  expect(report).toContain('closed groups of the channel are left out, so that they stay closed: channel 1')
})

test('requests cost what they cost in one-hub: patterns, calls, aliases, unknown names and groups', async () => {
  const { app } = await scene()
  const charge = async (key: string, model: string) => {
    const before = await balanceOf(app, 'ann')
    await ask(app, key, model)
    return before - (await balanceOf(app, 'ann'))
  }
  // 600 plain, 400 cached at half, 100 answered at three times the input.
  expect(await charge(keys.plain, 'gpt-4o')).toBe((600 + 200) * 2.5 + 100 * 7.5)
  expect(await charge(keys.team, 'gpt-4o')).toBe(((600 + 200) * 2.5 + 100 * 7.5) / 2)
  expect(await charge(keys.plain, 'cheap')).toBe((600 + 200) * 2.5 + 100 * 7.5)
  expect(await charge(keys.plain, 'dear')).toBe(1100 * 10)
  expect(await charge(keys.plain, 'wild-1')).toBe(1000 * 2 + 100 * 6)
  expect(await charge(keys.plain, 'unknown')).toBe(1100 * 30)
  expect(await charge(keys.plain, 'by-call')).toBe(25_000)
  expect(await reconcile(app.ctx.database.db)).toEqual([])
})

test('channels, groups, limits and log rows of one-hub are taken over', async () => {
  const { app, upstream } = await scene()
  const { db } = app.ctx.database
  expect(app.ctx.options()).toMatchObject({
    GroupRatio: { default: 1, team: 0.5, shut: 1 },
    GroupLimits: { default: { rpm: 600 }, team: { rpm: 90 } },
    SystemName: 'Old hub',
  })
  const channels = await db.selectFrom('channels').select(['id', 'type', 'tags']).orderBy('id').execute()
  expect(channels).toEqual([
    { id: 1, type: 1, tags: 'east' },
    { id: 2, type: 1, tags: '' },
    { id: 3, type: 29, tags: '' },
  ])
  await ask(app, keys.plain, 'cheap')
  expect(upstream.seen.at(-1)?.headers.get('x-a')).toBe('blue')
  expect(upstream.seen.at(-1)?.body).toMatchObject({ model: 'gpt-4o', temperature: 0 })
  const [row] = await db.selectFrom('logs').selectAll().where('created_at', '=', 1_700_000_200).execute()
  expect(row).toMatchObject({ user_id: 2, quota: 500, cached_tokens: 40, duration_ms: 1500, is_stream: 1 })
})

test('a key of one-hub whose lists are blank could do nothing there and can do nothing here', async () => {
  const old = await createOneHub('http://127.0.0.1:1')
  const limits = [
    { limit_model_setting: { enabled: true, models: [''] } },
    { limits_ip_setting: { enabled: true, whitelist: [' '] } },
    { limits_ip_setting: { enabled: true, whitelist: [] } },
  ]
  const row = {
    user_id: 2,
    status: 1,
    created_time: 1,
    accessed_time: 1,
    expired_time: -1,
    remain_quota: 500,
    used_quota: 0,
  }
  await old.run((engine) =>
    limits.map((each, at) =>
      insertRow(engine, 'tokens', {
        ...row,
        id: 21 + at,
        key: `blank-${at}`,
        name: 'blank',
        unlimited_quota: false,
        group: '',
        backup_group: '',
        setting: JSON.stringify({ limits: each }),
      }),
    ),
  )
  const app = await borrowApp()
  opened.push(app)
  await importInto(app, { source: old.address })
  const { db } = app.ctx.database
  const kept = await db.selectFrom('tokens').select(['id', 'status']).where('id', '>', 20).orderBy('id').execute()
  expect(kept).toEqual([
    { id: 21, status: 2 },
    { id: 22, status: 2 },
    { id: 23, status: 1 },
  ])
})
