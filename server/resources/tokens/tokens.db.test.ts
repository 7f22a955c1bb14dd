import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { accountApi } from '#shared/api/account.ts'
import { tokensApi } from '#shared/api/tokens.ts'

let app: TestApp
let anna: SignedIn
let bert: SignedIn

beforeAll(async () => {
  app = await borrowApp()
  anna = await signIn(app)
  bert = await signIn(app)
})
afterAll(() => app.stop())

const row = (id: number) =>
  app.ctx.database.db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const setRow = (id: number, fields: { status?: number; expired_time?: number }) =>
  app.ctx.database.db.updateTable('tokens').set(fields).where('id', '=', id).execute()

test('a token with only a name takes the defaults and shows its owner the key', async () => {
  const token = await anna.call(tokensApi.create, { name: 'plain' })
  expect(token).toMatchObject({
    user_id: anna.userId,
    status: 1,
    remain_quota: 500_000,
    expired_time: -1,
    unlimited_quota: false,
    used_quota: 0,
    models: '',
    subnet: '',
  })
  expect(token.key).toMatch(/^[0-9A-Za-z]{48}$/)
  expect(token.created_time).toBeGreaterThan(1_700_000_000)
  expect(await anna.call(tokensApi.get, { id: token.id })).toEqual(token)
})

test('the key is not in the database in clear', async () => {
  const token = await anna.call(tokensApi.create, { name: 'sealed' })
  expect(JSON.stringify(await row(token.id))).not.toContain(token.key)
  expect((await row(token.id)).key_hash).toBe(app.ctx.secrets.hash(token.key))
})

test('lists hold own tokens only, newest first, page by page', async () => {
  const carl = await signIn(app)
  for (let at = 1; at <= 12; at++) await carl.call(tokensApi.create, { name: `t${at}` })
  const first = await carl.call(tokensApi.list, {})
  expect(first).toMatchObject({ total: 12, currentPage: 1, pageSize: 10 })
  expect(first.list.map(({ name }) => name).slice(0, 2)).toEqual(['t12', 't11'])
  const second = await carl.call(tokensApi.list, { page: 2 })
  expect(second.list.map(({ name }) => name)).toEqual(['t2', 't1'])
})

test('the sort dropdown orders by what is left, unlimited first, and by what was used', async () => {
  const dora = await signIn(app)
  const make = (name: string, remain_quota: number, unlimited_quota = false) =>
    dora.call(tokensApi.create, { name, remain_quota, unlimited_quota })
  await make('small', 1)
  await make('endless', 5, true)
  const spent = await make('large', 9)
  await make('small too', 1)
  await app.ctx.database.db.updateTable('tokens').set({ used_quota: 7 }).where('id', '=', spent.id).execute()
  const names = async (order: 'remain_quota' | 'used_quota') =>
    (await dora.call(tokensApi.list, { order })).list.map(({ name }) => name)
  expect(await names('remain_quota')).toEqual(['endless', 'large', 'small too', 'small'])
  expect(await names('used_quota')).toEqual(['large', 'small too', 'endless', 'small'])
})

test('search finds substrings, and wildcards mean themselves', async () => {
  const emil = await signIn(app)
  for (const name of ['100% sure', 'a_b', 'acb', 'back\\slash']) await emil.call(tokensApi.create, { name })
  const found = async (keyword: string) =>
    (await emil.call(tokensApi.search, { keyword })).list.map(({ name }) => name).sort()
  expect(await found('%')).toEqual(['100% sure'])
  expect(await found('_')).toEqual(['a_b'])
  expect(await found('A')).toEqual(['a_b', 'acb', 'back\\slash'])
  expect(await found('\\')).toEqual(['back\\slash'])
  expect(await found("' or 1=1 --")).toEqual([])
  expect(await found('')).toHaveLength(4)
})

test('search finds a token by its number, its key and the last four of its key', async () => {
  const fritz = await signIn(app)
  const [wanted, other] = [
    await fritz.call(tokensApi.create, { name: 'wanted' }),
    await fritz.call(tokensApi.create, { name: 'other' }),
  ]
  const found = async (keyword: string, by = fritz) =>
    (await by.call(tokensApi.search, { keyword })).list.map(({ name }) => name)
  expect(await found(String(wanted.id))).toEqual(['wanted'])
  expect(await found(wanted.key)).toEqual(['wanted'])
  expect(await found(`sk-${wanted.key}`)).toEqual(['wanted'])
  expect(await found(wanted.key.slice(-4))).toEqual(['wanted'])
  expect(await found(other.key.slice(-5))).toEqual([])
  expect(await found(wanted.key.slice(-4), anna)).toEqual([])
  expect(await found(String(wanted.id), anna)).toEqual([])
})

test('an edit writes the given fields and leaves the rest and the status', async () => {
  const token = await anna.call(tokensApi.create, { name: 'before', models: 'gpt-4o, gpt-4o ,o3' })
  await anna.call(tokensApi.update, { id: token.id, status: 2, status_only: true })
  const changed = await anna.call(tokensApi.update, {
    ...token,
    name: 'after',
    remain_quota: 0,
    subnet: '10.0.0.0/8, 2001:db8::/32',
    status: 1,
  })
  expect(changed).toMatchObject({
    name: 'after',
    remain_quota: 0,
    status: 2,
    models: 'gpt-4o,o3',
    subnet: '10.0.0.0/8,2001:db8::/32',
    key: token.key,
  })
  expect(await reconcile(app.ctx.database.db)).toEqual([])
})

test('status_only sets the status and nothing else', async () => {
  const token = await anna.call(tokensApi.create, { name: 'steady' })
  const off = await anna.call(tokensApi.update, { id: token.id, name: 'changed', status: 2, status_only: true })
  expect(off).toMatchObject({ name: 'steady', status: 2 })
  expect(await anna.call(tokensApi.update, { id: token.id, status: 1, status_only: true })).toMatchObject({ status: 1 })
})

test('an expired or exhausted token is enabled only after its cause is gone', async () => {
  const token = await anna.call(tokensApi.create, { name: 'spent', remain_quota: 0 })
  await setRow(token.id, { status: 4 })
  const enable = () => anna.raw(tokensApi.update, { id: token.id, status: 1, status_only: true })
  expect((await enable()).code).toBe('token.exhausted')
  const raised = await anna.call(tokensApi.update, { id: token.id, remain_quota: 10 })
  expect(raised.status).toBe(4)
  await setRow(token.id, { status: 3, expired_time: 1000 })
  expect((await enable()).message).toBe(
    'The token has expired and cannot be enabled; change the expiry first or set it to never',
  )
  await anna.call(tokensApi.update, { id: token.id, expired_time: -1 })
  expect((await enable()).data).toMatchObject({ status: 1 })
})

test('a changed or deleted token is announced', async () => {
  const received: unknown[] = []
  const stop = app.ctx.changes.listen((change) => received.push(change))
  const token = await anna.call(tokensApi.create, { name: 'news' })
  await anna.call(tokensApi.update, { id: token.id, name: 'newer' })
  await anna.call(tokensApi.remove, { id: token.id })
  stop()
  expect(received).toEqual([
    { topic: 'token', id: token.id },
    { topic: 'token', id: token.id },
  ])
  expect((await anna.raw(tokensApi.get, { id: token.id })).code).toBe('token.not_found')
})

test('many edits at once leave every unit accounted for', async () => {
  const token = await anna.call(tokensApi.create, { name: 'busy' })
  await Promise.all(
    Array.from({ length: 50 }, (_, at) => anna.call(tokensApi.update, { id: token.id, remain_quota: at * 7 })),
  )
  expect(await reconcile(app.ctx.database.db)).toEqual([])
})

test('a token that many calls delete at once is deleted once', async () => {
  const admin = await signIn(app, { role: 'admin' })
  const { id } = await admin.call(tokensApi.create, { name: 'once' })
  const answers = await Promise.all(Array.from({ length: 8 }, () => admin.raw(tokensApi.remove, { id })))
  expect(answers.filter(({ success }) => success)).toHaveLength(1)
  const deletions = app.ctx.database.db.selectFrom('history_items').select('id').where('target', '=', String(id))
  expect(await deletions.where('kind', '=', 'token').where('after', '=', '').execute()).toHaveLength(1)
})

test('an account that is deleted while it makes tokens leaves none behind', async () => {
  for (let round = 0; round < 5; round++) {
    const leaving = await signIn(app)
    const make = () => Array.from({ length: 6 }, () => leaving.raw(tokensApi.create, { name: 'late' }))
    const answers = await Promise.all([...make(), leaving.raw(accountApi.remove, {}), ...make()])
    expect(answers.every(({ success, status }) => success || status === 401)).toBe(true)
    const { db } = app.ctx.database
    expect(await db.selectFrom('tokens').select('id').where('user_id', '=', leaving.userId).execute()).toEqual([])
  }
  expect(await reconcile(app.ctx.database.db)).toEqual([])
})

describe('other people', () => {
  test.each(['get', 'remove', 'update'] as const)('cannot %s a token by its id', async (what) => {
    const token = await anna.call(tokensApi.create, { name: 'mine' })
    const answer =
      what === 'update'
        ? await bert.raw(tokensApi.update, { id: token.id, name: 'stolen' })
        : await bert.raw(tokensApi[what], { id: token.id })
    expect(answer).toMatchObject({ status: 200, success: false, code: 'token.not_found' })
    expect((await row(token.id)).name).toBe('mine')
  })

  test('without a login get nothing', async () => {
    expect((await app.client().raw(tokensApi.list, {})).status).toBe(401)
  })
})

describe('the server refuses', () => {
  const refusals: [label: string, body: Record<string, unknown>, message: string][] = [
    ['no name', {}, 'token name is required'],
    ['a blank name', { name: '  ' }, 'token name is required'],
    ['a long name', { name: 'x'.repeat(31) }, 'token name must be at most 30 characters'],
    ['a negative quota', { name: 'a', remain_quota: -1 }, 'quota must not be negative'],
    ['half a unit', { name: 'a', remain_quota: 0.5 }, 'quota must be a whole number'],
    ['a huge quota', { name: 'a', remain_quota: 2 ** 53 }, 'quota must be a whole number'],
    ['quota as text', { name: 'a', remain_quota: '5' }, 'quota must be a whole number'],
    ['expiry as text', { name: 'a', expired_time: 'soon' }, 'expiry time format error'],
    ['expiry 0', { name: 'a', expired_time: 0 }, 'expiry time format error'],
    ['a subnet that is none', { name: 'a', subnet: '10.0.0.0/33' }, 'subnet must be a list'],
    ['an unknown field', { name: 'a', admin: true }, 'unknown field admin'],
  ]
  test.each(refusals)('to create a token with %s', async (_, body, message) => {
    const before = (await bert.call(tokensApi.list, {})).total
    const answer = await bert.fetch('/api/token/', { method: 'POST', body: JSON.stringify(body) })
    const envelope = (await answer.json()) as { success: boolean; message: string }
    expect(answer.status).toBe(200)
    expect(envelope.success).toBe(false)
    expect(envelope.message).toContain(message)
    expect((await bert.call(tokensApi.list, {})).total).toBe(before)
  })

  test.each([
    ['status 5', { status: 5, status_only: true }, 'status must be 1 or 2'],
    ['status 3 on an enabled token', { status: 3, status_only: true }, 'status must be 1 or 2'],
    ['status 4 on an enabled token', { status: 4, status_only: true }, 'status must be 1 or 2'],
    ['no status with status_only', { status_only: true }, 'status is required'],
    ['an empty name', { name: '' }, 'token name is required'],
  ])('to update one with %s', async (_, change, message) => {
    const token = await bert.call(tokensApi.create, { name: 'kept' })
    const answer = await bert.raw(tokensApi.update, { id: token.id, ...change })
    expect(answer.success).toBe(false)
    expect(answer.message).toContain(message)
    expect(await bert.call(tokensApi.get, { id: token.id })).toEqual(token)
  })

  test('to take a user id or a key from a body', async () => {
    const token = await bert.call(tokensApi.create, { name: 'mine' })
    const body = JSON.stringify({ ...token, user_id: anna.userId, key: 'x'.repeat(48), used_quota: 99 })
    await bert.fetch('/api/token/', { method: 'PUT', body })
    expect(await bert.call(tokensApi.get, { id: token.id })).toEqual(token)
  })
})

test('a token names one or several of the groups of its owner', async () => {
  const eva = await signIn(app)
  await app.ctx.database.db
    .updateTable('users')
    .set({ group: 'default,vip,team' })
    .where('id', '=', eva.userId)
    .execute()
  const made = await eva.call(tokensApi.create, { name: 'two', group: 'vip,team' })
  expect(made.group).toBe('vip,team')
  for (const group of ['vip,other', ','])
    expect((await eva.raw(tokensApi.create, { name: 'no', group })).success).toBe(false)
})
