import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import { tokensPerUserMax } from '#shared/api/tokens.ts'

let app: TestApp
beforeAll(async () => {
  app = await borrowApp()
})
afterAll(() => app.stop())

const tokens = (userId: number) =>
  app.ctx.database.db.selectFrom('tokens').selectAll().where('user_id', '=', userId).execute()

test('tokens made at one moment do not go beyond the limit', async () => {
  const anna = await signIn(app)
  await anna.call(api.tokens.create, { name: 'first' })
  const [first] = await tokens(anna.userId)
  if (!first) throw new Error('no token')
  const { id: _, ...fields } = first
  const more = Array.from({ length: tokensPerUserMax - 3 }, (__, at) => ({ ...fields, key_hash: `more-${at}` }))
  await app.ctx.database.db.insertInto('tokens').values(more).execute()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) => anna.raw(api.tokens.create, { name: `late ${at}` })),
  )
  expect(answers.filter(({ success }) => success)).toHaveLength(2)
  expect(answers.filter(({ code }) => code === 'token.too_many')).toHaveLength(6)
})

test('no token outlives its account', async () => {
  for (let round = 0; round < 5; round += 1) {
    const anna = await signIn(app)
    const made = Array.from({ length: 7 }, (_, at) => anna.raw(api.tokens.create, { name: `late ${at}` }))
    await Promise.all([anna.call(api.account.remove, {}), ...made])
    expect(await tokens(anna.userId)).toEqual([])
  }
})

test('of keys made anew at one moment the last works, and the one before it for its grace', async () => {
  const anna = await signIn(app)
  for (let round = 0; round < 5; round += 1) {
    const { id } = await anna.call(api.tokens.create, { name: 'rotated' })
    const rotated = Array.from({ length: 4 }, () => anna.call(api.tokens.rotate, { id, grace: 3600 }))
    const hashes = (await Promise.all(rotated)).map(({ key }) => app.ctx.secrets.hash(key.replace(/^sk-/, '')))
    const row = (await tokens(anna.userId)).find((token) => token.id === id)
    expect(hashes).toContain(row?.key_hash ?? '')
    expect(hashes).toContain(row?.previous_key_hash ?? '')
  }
})

test('a token comes back with the key it had when it was deleted', async () => {
  const admin = await signIn(app, { role: 'admin' })
  for (let round = 0; round < 6; round += 1) {
    const { id } = await admin.call(api.tokens.create, { name: 'rotated' })
    const [rotated] = await Promise.all([
      admin.raw(api.tokens.rotate, { id, grace: 0 }),
      round % 2 === 0 ? admin.call(api.tokens.remove, { id }) : admin.call(api.tokens.removeBatch, { ids: `${id}` }),
    ])
    if (!rotated.success) continue
    const { list } = await admin.call(api.history.list, { kind: 'token', target: String(id), pagesize: 1 })
    await admin.call(api.history.undo, { id: list[0]?.id ?? 0 })
    expect((await admin.call(api.tokens.get, { id })).key).toBe(rotated.data?.key ?? '')
  }
})
