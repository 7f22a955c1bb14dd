import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { sealCodes } from '#server/jobs/seal-codes.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { accountApi } from '#shared/api/account.ts'
import { redemptionsApi } from '#shared/api/redemptions.ts'
import { usersApi } from '#shared/api/users.ts'
import { logType } from '#shared/statuses.ts'

let app: TestApp
let admin: SignedIn
let user: SignedIn

beforeAll(async () => {
  app = await borrowApp()
  admin = await signIn(app, { role: 'admin' })
  user = await signIn(app)
})
afterAll(() => app.stop())

const quotaOf = async (id: number) =>
  (await app.ctx.database.db.selectFrom('users').select('quota').where('id', '=', id).executeTakeFirstOrThrow()).quota

const newest = async () => {
  const row = (await admin.call(redemptionsApi.list, { pagesize: 1 })).list[0]
  if (!row) throw new Error('no code')
  return row
}

async function makeCode(quota = 100): Promise<{ id: number; key: string }> {
  const [key = ''] = await admin.call(redemptionsApi.create, { name: 'code', quota })
  return { id: (await newest()).id, key }
}

test('codes are made in one go and listed newest first', async () => {
  const keys = await admin.call(redemptionsApi.create, { name: 'gift', quota: 5, count: 3 })
  expect(new Set(keys).size).toBe(3)
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
  const { list, total } = await admin.call(redemptionsApi.list, {})
  expect(total).toBe(3)
  expect(list.map(({ key }) => key).reverse()).toEqual(keys)
  expect(list[0]).toMatchObject({ name: 'gift', quota: 5, status: 1, user_id: admin.userId, redeemed_time: 0 })
})

test('left-out fields take the defaults', async () => {
  expect(await admin.call(redemptionsApi.create, { name: 'plain' })).toHaveLength(1)
  expect((await newest()).quota).toBe(100_000)
})

test('search finds the id and parts of the name, and wildcards mean themselves', async () => {
  await admin.call(redemptionsApi.create, { name: '50% off' })
  const { id } = await newest()
  const found = async (keyword: string) => (await admin.call(redemptionsApi.search, { keyword })).list
  expect((await found('0%')).map((row) => row.id)).toEqual([id])
  expect((await found(String(id))).map((row) => row.id)).toContain(id)
  expect(await found('_')).toEqual([])
})

test('redeeming credits the user once, marks the code and leaves a row', async () => {
  const { id, key } = await makeCode(500_000)
  expect(await user.call(accountApi.topUp, { key: ` ${key} ` })).toBe(500_000)
  expect(await quotaOf(user.userId)).toBe(500_000)
  const code = await admin.call(redemptionsApi.get, { id })
  expect(code.status).toBe(3)
  expect(code.redeemed_time).toBeGreaterThan(0)
  const row = await app.ctx.database.db
    .selectFrom('logs')
    .selectAll()
    .where('user_id', '=', user.userId)
    .where('type', '=', logType.topUp)
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({ quota: 500_000, content: 'topped up $1.000000 with a redemption code' })
  expect((await user.raw(accountApi.topUp, { key })).message).toBe('Redemption failed, this code has already been used')
})

test('codes cannot be read from the database; those of before stay valid, and are sealed in time', async () => {
  const { db } = app.ctx.database
  const { id, key } = await makeCode(10)
  const row = await db.selectFrom('redemptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain(key)
  expect((await user.raw(accountApi.topUp, { key: row.key })).code).toBe('topup.invalid')
  expect((await admin.call(redemptionsApi.get, { id })).key).toBe(key)
  expect(await user.call(accountApi.topUp, { key })).toBe(10)

  const old = ['0123456789abcdef0123456789abcdef', 'an old one of another make']
  const facts = { name: 'old', quota: 7, user_id: 0, status: 1, created_time: 0, redeemed_time: 0, redeemed_by: 0 }
  await db
    .insertInto('redemptions')
    .values(old.map((code) => ({ ...facts, key: code })))
    .execute()
  expect(await user.call(accountApi.topUp, { key: old[0] ?? '' })).toBe(7)
  await sealCodes.run(app.ctx)
  const stored = JSON.stringify(await db.selectFrom('redemptions').selectAll().execute())
  for (const code of old) expect(stored).not.toContain(code)
  const shown = (await admin.call(redemptionsApi.search, { keyword: 'old' })).list.map((one) => one.key)
  expect(shown.sort()).toEqual(old)
  expect(await user.call(accountApi.topUp, { key: old[1] ?? '' })).toBe(7)
})

test('a thousand redemptions of one code at once credit it once', async () => {
  const { key } = await makeCode(77)
  const people = await Promise.all(Array.from({ length: 4 }, () => signIn(app)))
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, at) => (people[at % 4] ?? user).raw(accountApi.topUp, { key })),
  )
  expect(answers.filter(({ success }) => success)).toHaveLength(1)
  const credited = await Promise.all(people.map(({ userId }) => quotaOf(userId)))
  expect(credited.sort()).toEqual([0, 0, 0, 77])
  expect(await reconcile(app.ctx.database.db)).toEqual([])
}, 60_000)

test('a thousand top-ups and quota edits at once leave every unit accounted for', async () => {
  const keys = await Promise.all(
    Array.from({ length: 5 }, () => admin.call(redemptionsApi.create, { name: 'many', quota: 3, count: 100 })),
  )
  const rich = await signIn(app, { quota: 1_000_000 })
  const edits = ['set', 'moved'].map((kind) => (at: number) => ({
    id: rich.userId,
    quota: 1_000_000 + at,
    ...(kind === 'moved' ? { quota_before: 1_000_000 } : {}),
  }))
  await Promise.all(
    keys.flat().flatMap((key, at) => {
      const edit = edits[at % 2]?.(at) ?? { id: rich.userId }
      return [rich.call(accountApi.topUp, { key }), admin.call(usersApi.update, edit)]
    }),
  )
  expect(await reconcile(app.ctx.database.db)).toEqual([])
}, 60_000)

test('a used code can neither be changed nor enabled again', async () => {
  const { id, key } = await makeCode()
  await user.call(accountApi.topUp, { key })
  for (const change of [{ status: 1, status_only: true }, { name: 'again' }, { quota: 9 }]) {
    expect((await admin.raw(redemptionsApi.update, { id, ...change })).code).toBe('redemption.used')
  }
  expect((await admin.call(redemptionsApi.get, { id })).status).toBe(3)
})

test('a disabled code is refused until it is enabled', async () => {
  const { id, key } = await makeCode()
  expect(
    await admin.call(redemptionsApi.update, { id, status: 2, status_only: true, name: 'not taken' }),
  ).toMatchObject({ status: 2, name: 'code' })
  expect((await user.raw(accountApi.topUp, { key })).code).toBe('topup.disabled')
  await admin.call(redemptionsApi.update, { id, status: 1, status_only: true })
  expect(await user.call(accountApi.topUp, { key })).toBe(100)
})

test('name and quota can be changed while the code is unused, and deleted codes are gone', async () => {
  const { id, key } = await makeCode()
  const row = await admin.call(redemptionsApi.get, { id })
  const changed = await admin.call(redemptionsApi.update, { ...row, name: 'new', quota: 8 })
  expect(changed).toEqual({ ...row, name: 'new', quota: 8 })
  await admin.call(redemptionsApi.remove, { id })
  expect((await user.raw(accountApi.topUp, { key })).code).toBe('topup.invalid')
  const notes = await app.ctx.database.db.selectFrom('logs').select('content').where('type', '=', 3).execute()
  const texts = notes.map(({ content }) => content)
  expect(texts).toContain(`changed redemption code ${id}: name from "code" to "new", quota from "100" to "8"`)
  expect(texts).toContain(`deleted redemption code ${id} "new" of 8 quota`)
  expect(texts.join()).not.toContain(key)
})

describe('refused', () => {
  test.each([
    ['no name', {}, 'name is required'],
    ['a long name', { name: 'x'.repeat(21) }, 'The name must be 1 to 20 long'],
    ['no quota at all', { name: 'a', quota: 0 }, 'quota must be greater than 0'],
    ['a negative quota', { name: 'a', quota: -5 }, 'quota must not be negative'],
    ['count 0', { name: 'a', count: 0 }, 'The number must be greater than 0'],
    ['count 101', { name: 'a', count: 101 }, 'At most 100 codes at once'],
    ['a key of choice', { name: 'a', key: 'mine' }, 'unknown field key'],
  ])('create with %s', async (_, body, message) => {
    const before = (await admin.call(redemptionsApi.list, {})).total
    const answer = await admin.fetch('/api/redemption/', { method: 'POST', body: JSON.stringify(body) })
    const envelope = (await answer.json()) as { success: boolean; message: string }
    expect(envelope.success).toBe(false)
    expect(envelope.message).toContain(message)
    expect((await admin.call(redemptionsApi.list, {})).total).toBe(before)
  })

  test.each([
    ['a status of 3', { status: 3, status_only: true }, 'status must be 1 or 2'],
    ['a status of 7', { status: 7, status_only: true }, 'status must be 1 or 2'],
    ['no status', { status_only: true }, 'status is required'],
    ['an empty name', { name: ' ' }, 'name is required'],
    ['a negative quota', { quota: -1 }, 'quota must not be negative'],
  ])('update with %s', async (_, change, message) => {
    const { id } = await makeCode()
    expect((await admin.raw(redemptionsApi.update, { id, ...change })).message).toBe(message)
  })

  test('ids that do not exist', async () => {
    expect((await admin.raw(redemptionsApi.get, { id: 999_999 })).code).toBe('redemption.not_found')
    expect((await admin.raw(redemptionsApi.remove, { id: 999_999 })).code).toBe('redemption.not_found')
    expect((await admin.raw(redemptionsApi.update, { id: 999_999, name: 'a' })).code).toBe('redemption.not_found')
  })

  test('codes that are empty or wrong', async () => {
    expect((await user.raw(accountApi.topUp, { key: ' ' })).message).toBe('please enter the top-up code')
    expect((await user.raw(accountApi.topUp, {})).message).toBe('please enter the top-up code')
    expect((await user.raw(accountApi.topUp, { key: '%' })).message).toBe('Redemption failed, invalid redemption code')
  })

  test('whoever guesses too often, even with a good code', async () => {
    const strict = await startTestApp({ env: { RATE_LIMIT_CRITICAL: '3/1200' } })
    const guesser = await signIn(strict)
    for (let at = 0; at < 3; at++) expect((await guesser.raw(accountApi.topUp, { key: `no${at}` })).status).toBe(200)
    expect(await guesser.raw(accountApi.topUp, { key: 'any' })).toMatchObject({ status: 429, success: false })
    await strict.stop()
  })

  test('a code that would push the balance past exact integers, which stays unused', async () => {
    const full = await signIn(app, { quota: Number.MAX_SAFE_INTEGER })
    const { id, key } = await makeCode(1)
    expect((await full.raw(accountApi.topUp, { key })).code).toBe('quota.overflow')
    expect((await admin.call(redemptionsApi.get, { id })).status).toBe(1)
  })

  test('ordinary users, on everything but redeeming', async () => {
    expect((await user.raw(redemptionsApi.list, {})).status).toBe(403)
    expect((await user.raw(redemptionsApi.create, { name: 'a' })).status).toBe(403)
    expect((await app.client().raw(accountApi.topUp, { key: 'x' })).status).toBe(401)
  })
})
