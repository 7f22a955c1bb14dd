import { afterEach, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { chatAnswer, type FakeUpstream, startFakeUpstream } from '#server/testing/fake-upstream.ts'
import { codeOf } from '#server/testing/identity-scene.ts'
import { ask, balanceOf, importInto } from '#server/testing/import-scene.ts'
import { createNewApi, keys, passwords, totpSecret } from '#server/testing/new-api/data.ts'
import type { NewApiVersion } from '#server/testing/new-api/schema.ts'
import { insertRow, type Row } from '#server/testing/old-database.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

const opened: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.stop()
})

const usage = { prompt_tokens: 1000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 400 } }

async function scene(
  version: NewApiVersion = '1.0',
): Promise<{ app: TestApp; upstream: FakeUpstream; report: string }> {
  const upstream = startFakeUpstream(chatAnswer('hello', usage))
  const { address } = await createNewApi(version, upstream.url)
  const app = await borrowApp()
  opened.push(upstream, app)
  const report = (await importInto(app, { source: address })).lines().join('\n')
  return { app, upstream, report }
}

const rowsOf = ({ ctx }: TestApp) => ctx.database.db

describe.each(['0.4', '1.0'] as const)('a database of new-api %s', (version) => {
  test('keeps balances and passwords, and who was deleted stays away', async () => {
    const { app, report } = await scene(version)
    const users = await rowsOf(app).selectFrom('users').select(['id', 'username', 'quota']).orderBy('id').execute()
    expect(users).toEqual([
      { id: 1, username: 'root', quota: 900_000 },
      { id: 2, username: 'ann', quota: 1_000_000 },
      { id: 3, username: 'bob', quota: 250_000 },
      { id: 5, username: 'cat', quota: 0 },
    ])
    expect(await reconcile(rowsOf(app))).toEqual([])
    await app.client().call(api.auth.login, { username: 'ann', password: passwords.ann })
    expect((await app.client().raw(api.auth.login, { username: 'gone', password: passwords.ann })).success).toBeFalse()
    expect(report).toContain('negative quota set to 0: user 5 (-20)')
    expect(report).toContain('drawing tasks: 2.')
  })

  test('lets keys do what they could and nothing else', async () => {
    const { app } = await scene(version)
    const status = async (key: string, model: string) => (await ask(app, key, model)).status
    expect(await status(keys.plain, 'gpt-4o')).toBe(200)
    expect(await status(keys.models, 'gpt-4o-mini')).toBe(200)
    expect(await status(keys.models, 'gpt-4o')).not.toBe(200)
    expect(await status(keys.home, 'gpt-4o')).toBe(403)
    expect(await status(keys.vip, 'gpt-4.1')).toBe(200)
    expect(await status(keys.plain, 'gpt-4.1')).not.toBe(200)
    expect(await status(keys.plain, 'staff-model')).not.toBe(200)
    for (const key of [keys.foreign, keys.deleted, keys.expired, keys.disabled, keys.gone, keys.nothing]) {
      expect(await status(key, 'gpt-4o')).not.toBe(200)
    }
    expect(await status(keys.unlimited, 'gpt-4o')).toBe(200)
  })
})

test('a token of another group reaches that group alone, and the others stay in theirs', async () => {
  const { app } = await scene()
  const groups = async (name: string) =>
    (await rowsOf(app).selectFrom('tokens').select('group').where('name', '=', name).executeTakeFirstOrThrow()).group
  const ann = await rowsOf(app)
    .selectFrom('users')
    .select('group')
    .where('username', '=', 'ann')
    .executeTakeFirstOrThrow()
  expect(ann.group).toBe('default,vip')
  expect([await groups('plain'), await groups('vip'), await groups('auto')]).toEqual(['default', 'vip', ''])
})

test('models cost what they cost: built-in prices, cached parts, prices a request, ratios of groups', async () => {
  const { app } = await scene()
  const charged = async (key: string, model: string, who = 'ann') => {
    const before = await balanceOf(app, who)
    expect((await ask(app, key, model)).status).toBe(200)
    return before - (await balanceOf(app, who))
  }
  // 600 plain and 400 cached tokens in, 100 out.
  expect(await charged(keys.plain, 'gpt-4o')).toBe((600 + 400 * 0.25 + 100 * 4) * 1.25)
  expect(await charged(keys.plain, 'gpt-5')).toBe((1000 + 100 * 8) * 0.625)
  expect(await charged(keys.plain, 'per-request')).toBe(10_000)
  expect(await charged(keys.unlimited, 'per-request', 'bob')).toBe(5000)
  expect(await reconcile(rowsOf(app))).toEqual([])
})

test('an authenticator goes on opening the account, which the password alone does not', async () => {
  const { app } = await scene()
  const first = await app.client().call(api.auth.login, { username: 'bob', password: passwords.bob })
  if (!('ticket' in first)) throw new Error('the password alone was enough')
  const client = app.client()
  await client.call(api.identity.secondLogin, { ticket: first.ticket, code: codeOf(app, totpSecret) })
  expect((await client.call(api.account.self, {})).username).toBe('bob')
})

test('external identities open the account they opened', async () => {
  const { app } = await scene()
  const ann = await rowsOf(app).selectFrom('users').selectAll().where('username', '=', 'ann').executeTakeFirstOrThrow()
  expect(ann).toMatchObject({
    github_id: '583231',
    oidc_id: 'https://id.example.com#sub-ann',
    email: 'ann@example.com',
  })
  expect(app.ctx.options()).toMatchObject({
    OIDCEnabled: true,
    OIDCIssuer: 'https://id.example.com',
    OIDCClientId: 'relay',
  })
})

test('channels stay where they point, with what they add to requests', async () => {
  const { app, upstream, report } = await scene()
  const channels = await rowsOf(app).selectFrom('channels').selectAll().orderBy('id').execute()
  expect(channels.map(({ id, type, status }) => [id, type, status])).toEqual([
    [1, 1, 1],
    [2, 35, 1],
    [3, 34, 1],
    [5, 8, 1],
    [6, 1, 1],
    [7, 8, 1],
    [8, 1, 2],
    [9, 1, 1],
    [10, 1, 1],
    [11, 1, 2],
  ])
  expect(report).toContain('channel 4 (drawings): Midjourney channels are not supported')
  expect(report).toContain('channel 11 (copies): its headers cannot be kept')
  expect(channels[0]).toMatchObject({ tags: 'east', test_model: 'gpt-4o', priority: 10, weight: 5 })
  await ask(app, keys.plain, 'alias')
  expect(upstream.seen.at(-1)?.headers.get('openai-organization')).toBe('org-1')
  expect(upstream.seen.at(-1)?.headers.get('x-team')).toBe('blue')
  expect(upstream.seen.at(-1)?.body).toMatchObject({ model: 'gpt-4o', temperature: 0 })
})

test('a pool uses its living keys by turns, and the one that was switched off never', async () => {
  const { app, upstream } = await scene()
  for (let turn = 0; turn < 6; turn++) expect((await ask(app, keys.plain, 'pooled')).status).toBe(200)
  const used = new Set(upstream.seen.map(({ headers }) => headers.get('authorization')))
  expect([...used].sort()).toEqual(['Bearer up-6a', 'Bearer up-6c'])
  const root = app.client()
  await root.call(api.auth.login, { username: 'root', password: passwords.root })
  const { list } = await root.call(api.channels.list, {})
  const pool = list.find(({ id }) => id === 6)
  expect(pool?.keys.map(({ resting_until }) => resting_until > 4_000_000_000)).toEqual([false, true, false])
})

test('a custom channel holds a whole address', async () => {
  const { app, upstream } = await scene()
  await ask(app, keys.plain, 'odd-model')
  expect(upstream.seen.at(-1)?.path).toBe('/odd/chat/completions')
  await ask(app, keys.plain, 'odd-2')
  expect(upstream.seen.at(-1)?.path).toBe('/odd-2/ask')
})

test('codes that were deleted or have expired pay nothing', async () => {
  const { app } = await scene()
  const ann = app.client()
  await ann.call(api.auth.login, { username: 'ann', password: passwords.ann })
  const pays = async (key: string) => (await ann.raw(api.account.topUp, { key })).success
  expect([await pays('code-gone'), await pays('code-late'), await pays('code-used')]).toEqual([false, false, false])
  expect([await pays('code-good'), await pays('code-soon')]).toEqual([true, true])
  expect(await balanceOf(app, 'ann')).toBe(1_010_000)
})

test('top-ups become entries of their day, log rows keep their cached tokens', async () => {
  const { app } = await scene()
  const entries = await rowsOf(app)
    .selectFrom('ledger_entries')
    .select(['user_id', 'amount', 'created_at'])
    .where('kind', '=', 'top-up')
    .orderBy('id')
    .execute()
  expect(entries).toEqual([
    { user_id: 2, amount: 500_000, created_at: 1_700_000_060 },
    { user_id: 3, amount: 1_000_000, created_at: 1_700_000_090 },
  ])
  const [row] = await rowsOf(app).selectFrom('logs').selectAll().orderBy('created_at').execute()
  expect(row).toMatchObject({
    cached_tokens: 600,
    duration_ms: 3000,
    token_id: 1,
    request_id: 'req-1',
    group: 'default',
  })
})

test('limits of requests become limits of groups', async () => {
  const { app } = await scene()
  expect(app.ctx.options().GroupLimits).toMatchObject({ vip: { rpm: 50 }, default: { rpm: 500 } })
})

test('a second import changes nothing and has nothing to say', async () => {
  const upstream = startFakeUpstream(chatAnswer('hello', usage))
  const { address } = await createNewApi('1.0', upstream.url)
  const app = await borrowApp()
  opened.push(upstream, app)
  await importInto(app, { source: address })
  expect((await importInto(app, { source: address })).lines()).toEqual([])
})

test('log rows may come from a database of their own', async () => {
  const upstream = startFakeUpstream(chatAnswer('hello', usage))
  const main = await createNewApi('1.0', upstream.url)
  const logs = await createNewApi('1.0', upstream.url)
  await main.run(() => ['delete from logs'])
  await logs.run(() => ["update logs set content = 'from the other one'"])
  const app = await borrowApp()
  opened.push(upstream, app)
  await importInto(app, { source: main.address, logs: logs.address })
  const rows = await rowsOf(app).selectFrom('logs').select('content').execute()
  expect(rows).toEqual([{ content: 'from the other one' }, { content: 'from the other one' }])
})

test('a price by the request is in the dollars of its operator', async () => {
  const upstream = startFakeUpstream(chatAnswer('hello', usage))
  const old = await createNewApi('1.0', upstream.url)
  await old.run((engine) => [insertRow(engine, 'options', { key: 'QuotaPerUnit', value: '1000000' })])
  const app = await borrowApp()
  opened.push(upstream, app)
  await importInto(app, { source: old.address })
  await ask(app, keys.plain, 'per-request')
  expect(1_000_000 - (await balanceOf(app, 'ann'))).toBe(20_000)
})

/** What became of tokens that are added to those of the scene. */
async function imported(tokens: readonly Row[], more: readonly string[] = []) {
  const old = await createNewApi('1.0', 'http://127.0.0.1:1')
  const common = { user_id: 2, status: 1, created_time: 1, accessed_time: 1, expired_time: -1, remain_quota: 500 }
  const rest = {
    unlimited_quota: false,
    used_quota: 0,
    model_limits_enabled: false,
    model_limits: '',
    allow_ips: '',
    group: '',
  }
  await old.run((engine) => [
    ...tokens.map((token) => insertRow(engine, 'tokens', { ...common, ...rest, ...token })),
    ...(engine === 'mysql' ? more : []),
  ])
  const app = await borrowApp()
  opened.push(app)
  const report = (await importInto(app, { source: old.address })).lines().join('\n')
  const { db } = app.ctx.database
  const kept = await db
    .selectFrom('tokens')
    .select(['id', 'status', 'group', 'subnet'])
    .where('id', '>', 20)
    .orderBy('id')
    .execute()
  return { old, report, kept }
}

test('groups that differ in case alone are two, whatever the collation of the old database', async () => {
  const { kept, report } = await imported([
    { id: 21, user_id: 5, key: 'cat-a', name: 'a', group: 'VIP' },
    { id: 22, user_id: 5, key: 'cat-b', name: 'b', group: 'vip' },
  ])
  expect(kept.map(({ id, status, group }) => [id, status, group])).toEqual([
    [21, 2, ''],
    [22, 1, 'vip'],
  ])
  expect(report).toContain('its group VIP was refused there, token disabled: token 21')
})

test('addresses are one a line; a line with commas admitted nobody there and stays closed here', async () => {
  const { kept, report } = await imported([
    { id: 21, key: 'ann-a', name: 'a', allow_ips: '10.0.0.1,\n 10.1.0.0/16 \n\n' },
    { id: 22, key: 'ann-b', name: 'b', allow_ips: '10.0.0.1,10.0.0.2' },
  ])
  expect(kept.map(({ id, status, subnet }) => [id, status, subnet])).toEqual([
    [21, 1, '10.0.0.1,10.1.0.0/16'],
    [22, 2, ''],
  ])
  expect(report).toContain('subnet not understood, token disabled: token 22')
})

test('rows deleted on the day 0000-00-00 stay deleted', async () => {
  const { old, kept } = await imported(
    [{ id: 21, key: 'ann-a', name: 'a' }],
    ["set session sql_mode = ''", "update tokens set deleted_at = '0000-00-00 00:00:00' where id = 21"],
  )
  expect(kept).toHaveLength(old.address.startsWith('mysql') ? 0 : 1)
})
