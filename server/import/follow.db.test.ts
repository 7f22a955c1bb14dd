import { afterEach, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { eventually } from '#server/testing/eventually.ts'
import { chatAnswer, startFakeUpstream } from '#server/testing/fake-upstream.ts'
import { ask } from '#server/testing/import-scene.ts'
import { createNewApi, keys } from '#server/testing/new-api/data.ts'
import { insertRow, type OldDatabase } from '#server/testing/old-database.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { follow } from './follow-loop.ts'
import { createReport } from './report.ts'

const opened: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.stop()
})

async function scene() {
  const upstream = startFakeUpstream(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }))
  const old = await createNewApi('1.0', upstream.url)
  const app = await borrowApp()
  opened.push(upstream, app)
  return { old, app }
}

function start(app: TestApp, old: OldDatabase) {
  const end = new AbortController()
  const said: string[] = []
  const report = createReport()
  const asked = { source: old.address }
  const done = follow(app.ctx, { asked, report, stop: end.signal, everyMs: 20, say: (line) => void said.push(line) })
  return { done, said, report, stop: () => end.abort() }
}

const user = { password: '', role: 1, status: 1, used_quota: 0, request_count: 0, group: 'default', inviter_id: 0 }

test('what is added, spent, changed and deleted there follows until it is stopped', async () => {
  const { old, app } = await scene()
  const { db } = app.ctx.database
  const following = start(app, old)
  await eventually(
    () => following.said.length,
    (count) => count > 0,
  )
  await old.run((engine) => [
    insertRow(engine, 'users', { id: 9, username: 'dan', quota: 400_000, aff_code: 'dddd', ...user }),
    insertRow(engine, 'tokens', {
      id: 20,
      user_id: 9,
      key: 'Dan'.padEnd(48, '0'),
      name: 'new',
      status: 1,
      expired_time: -1,
      remain_quota: 300_000,
      unlimited_quota: false,
      used_quota: 0,
      group: '',
    }),
    'update users set quota = 998765, used_quota = 6235 where id = 2',
    'update tokens set remain_quota = 499000, used_quota = 1010 where id = 1',
    "update tokens set deleted_at = '2024-06-01 10:00:00' where id = 4",
    'delete from tokens where id = 2',
    "update users set deleted_at = '2024-06-01 10:00:00' where id = 5",
    'update redemptions set status = 3, used_user_id = 9, redeemed_time = 1710000000 where id = 1',
    insertRow(engine, 'logs', {
      id: 9,
      user_id: 9,
      created_at: 1_710_000_000,
      type: 2,
      content: '',
      quota: 7,
      other: '',
    }),
  ])
  await eventually(
    () => db.selectFrom('users').select('quota').where('username', '=', 'dan').executeTakeFirst(),
    (dan) => dan?.quota === 400_000,
  )
  following.stop()
  const { differences, program } = await following.done
  expect(program).toBe('new-api')
  expect(differences).toEqual([])
  expect(following.report.facts().counts).toMatchObject({ 'deleted there since': 2 })
  const ann = await db.selectFrom('users').selectAll().where('id', '=', 2).executeTakeFirstOrThrow()
  expect(ann).toMatchObject({ quota: 998_765, used_quota: 6235 })
  const states = await db
    .selectFrom('tokens')
    .select(['id', 'status', 'remain_quota'])
    .where('id', 'in', [1, 2, 4, 20])
    .orderBy('id')
    .execute()
  expect(states).toEqual([
    { id: 1, status: 1, remain_quota: 499_000 },
    { id: 2, status: 2, remain_quota: 500_000 },
    { id: 4, status: 2, remain_quota: 500_000 },
    { id: 20, status: 1, remain_quota: 300_000 },
  ])
  expect((await db.selectFrom('logs').select('quota').where('user_id', '=', 9).execute()).length).toBe(1)
  expect(await reconcile(db)).toEqual([])
  await app.ctx.refreshOptions()
  expect((await ask(app, 'Dan'.padEnd(48, '0'), 'gpt-4o')).status).toBe(200)
  expect((await ask(app, keys.vip, 'gpt-4.1')).status).not.toBe(200)
})

test('a name, an address and a key that passed to another account meanwhile are its own here', async () => {
  const { old, app } = await scene()
  const { db } = app.ctx.database
  const following = start(app, old)
  await eventually(
    () => following.said.length,
    (count) => count > 0,
  )
  const ann = await db.selectFrom('users').selectAll().where('id', '=', 2).executeTakeFirstOrThrow()
  await old.run((engine) => [
    "update users set username = 'ann-2', email = 'ann-2@example.com' where id = 2",
    insertRow(engine, 'users', {
      id: 8,
      username: ann.username,
      email: ann.email,
      quota: 5,
      aff_code: 'eeee',
      ...user,
    }),
    'delete from tokens where id = 1',
    insertRow(engine, 'tokens', { id: 21, user_id: 8, key: keys.plain, name: 'again', status: 1, group: '' }),
  ])
  following.stop()
  expect((await following.done).differences.filter(({ id }) => id === 8)).toEqual([])
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username', 'email'])
    .where('id', 'in', [2, 8])
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { id: 2, username: 'ann-2', email: 'ann-2@example.com' },
    { id: 8, username: ann.username, email: ann.email },
  ])
  const tokens = await db
    .selectFrom('tokens')
    .select(['id', 'status'])
    .where('id', 'in', [1, 21])
    .orderBy('id')
    .execute()
  expect(tokens).toEqual([
    { id: 1, status: 2 },
    { id: 21, status: 1 },
  ])
  expect(await reconcile(db)).toEqual([])
})

test('a log row that comes after one with a higher number is taken too', async () => {
  const { old, app } = await scene()
  const logs = () => app.ctx.database.db.selectFrom('logs').select('quota').where('user_id', '=', 2).execute()
  const rounds = (line: string) =>
    eventually(
      () => following.said.join(),
      (said) => said.includes(line),
    )
  const row = { user_id: 2, type: 2, content: '', other: '' }
  const following = start(app, old)
  await rounds('Taken over')
  await old.run((engine) => [
    insertRow(engine, 'logs', { id: 90, created_at: 1_720_000_000, quota: 90, ...row }),
    insertRow(engine, 'logs', { id: 92, created_at: 1_720_000_060, quota: 92, ...row }),
    'update users set quota = 11 where id = 2',
  ])
  await rounds('log rows')
  await old.run((engine) => [insertRow(engine, 'logs', { id: 91, created_at: 1_720_000_059, quota: 91, ...row })])
  following.stop()
  await following.done
  const taken = (await logs()).map(({ quota }) => quota).filter((quota) => quota >= 90 && quota <= 92)
  expect(taken.toSorted()).toEqual([90, 91, 92])
})

test('a round that was lost is made up for, and what was there before it is not counted as new', async () => {
  const { old, app } = await scene()
  let isLost = false
  const seal = (text: string): string => {
    if (!isLost) return app.ctx.secrets.seal(text)
    isLost = false
    throw new Error('the line is cut')
  }
  const following = start({ ...app, ctx: { ...app.ctx, secrets: { ...app.ctx.secrets, seal } } }, old)
  const until = (line: string) =>
    eventually(
      () => following.said.join(),
      (said) => said.includes(line),
    )
  await until('Taken over')
  isLost = true
  await old.run(() => ['update users set quota = 12 where id = 2', 'update tokens set remain_quota = 13 where id = 1'])
  await until('trying again')
  following.stop()
  expect((await following.done).differences.filter(({ id }) => id !== 5)).toEqual([])
  expect(following.report.facts().counts).toMatchObject({ 'users since': 1, 'tokens since': 1 })
  expect(following.report.facts().channels.filter(({ id }) => id === 4)).toHaveLength(1)
  expect(await reconcile(app.ctx.database.db)).toEqual([])
})

test('balances that cannot be the same are listed', async () => {
  const { old, app } = await scene()
  const following = start(app, old)
  following.stop()
  expect((await following.done).differences).toEqual([{ what: 'user', id: 5, there: -20, here: 0 }])
})

test('a server that has worked since is not followed into', async () => {
  const { old, app } = await scene()
  const first = start(app, old)
  first.stop()
  await first.done
  await app.ctx.refreshOptions()
  expect((await ask(app, keys.plain, 'gpt-4o')).status).toBe(200)
  const again = start(app, old)
  await expect(again.done).rejects.toThrow('following would undo it')
})
