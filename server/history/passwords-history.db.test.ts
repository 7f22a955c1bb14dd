import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Fields, storeItem } from '#server/history/item.ts'
import { type HistoryScene, historyScene } from '#server/testing/history-scene.ts'
import { signIn } from '#server/testing/sign-in.ts'
import { api } from '#shared/api/all.ts'

let scene: HistoryScene
beforeAll(async () => {
  scene = await historyScene()
})
afterAll(() => scene.app.stop())

const logsIn = async (username: string, password: string) =>
  (await scene.app.client().raw(api.auth.login, { username, password })).success

const entriesOf = async (id: number) =>
  (await scene.root.call(api.history.list, { kind: 'user', target: String(id), pagesize: 100 })).list

const hashOf = async (id: number) => {
  const { db } = scene.app.ctx.database
  return (await db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow())
    .password_hash
}

async function newUser(username: string): Promise<number> {
  await scene.root.call(api.users.create, { username, password: 'the first one' })
  const { list } = await scene.root.call(api.users.search, { keyword: username })
  return list[0]?.id ?? 0
}

test('a new password is final, and says so beforehand', async () => {
  const id = await newUser('final')
  await scene.root.call(api.users.update, { id, password: 'the second one' })
  const entry = await scene.newest('user')
  expect(entry).toMatchObject({
    before: { password: 'changed' },
    after: { password: 'changed' },
    undoable: false,
    why_not_code: 'history.final_password',
  })
  expect(await scene.refusal(entry)).toBe(entry.why_not)
  expect(await logsIn('final', 'the second one')).toBeTrue()
  expect(await logsIn('final', 'the first one')).toBeFalse()
})

test('an own new password is final too, also of the first account', async () => {
  const admin = await signIn(scene.app, { role: 'admin' })
  const first = await signIn(scene.app, { role: 'root' })
  for (const client of [admin, first]) {
    await client.call(api.account.update, { password: 'another password' })
    const kept = await hashOf(client.userId)
    const [entry] = await entriesOf(client.userId)
    if (!entry) throw new Error('no entry')
    expect(entry).toMatchObject({ undoable: false, why_not_code: 'history.final_password' })
    expect(await scene.refusal(entry)).toBe(entry.why_not)
    expect(await hashOf(client.userId)).toBe(kept)
  }
})

test('what was changed with a password is put back, and the password and its sessions stay', async () => {
  const id = await newUser('mixed')
  await scene.root.call(api.users.update, { id, password: 'the second one', display_name: 'Anew', group: 'vip' })
  const client = scene.app.client()
  await client.call(api.auth.login, { username: 'mixed', password: 'the second one' })
  const undoable = (await entriesOf(id)).filter((entry) => entry.undoable && entry.before !== null)
  expect(undoable.map(({ after }) => after)).toEqual([{ display_name: 'Anew', group: 'vip' }])
  const [entry] = undoable
  if (!entry) throw new Error('no entry')
  const undone = await scene.undo(entry)
  expect(await scene.root.call(api.users.get, { id })).toMatchObject({ display_name: 'mixed', group: 'default' })
  expect((await client.raw(api.account.self, {})).success).toBeTrue()
  await scene.undo(undone)
  expect(await scene.root.call(api.users.get, { id })).toMatchObject({ display_name: 'Anew', group: 'vip' })
  expect(await logsIn('mixed', 'the second one')).toBeTrue()
  expect(await logsIn('mixed', 'the first one')).toBeFalse()
})

test('an entry of an earlier version brings no password back', async () => {
  const id = await newUser('earlier')
  const old = await hashOf(id)
  await scene.root.call(api.users.update, { id, password: 'the second one', display_name: 'Anew' })
  const { ctx } = scene.app
  const before = { display_name: 'earlier', password_hash: old }
  const after = { display_name: 'Anew', password_hash: await hashOf(id) }
  const insert = async (fields: { before: Fields; after: Fields }) => {
    const item = { kind: 'user' as const, target: String(id), name: 'earlier', ...fields }
    const entry = { created_at: 1, actor_id: 1, actor: '', address: '', kind: 'user', final: '', undoes: 0 }
    const made = await ctx.database.db.insertInto('history').values(entry).returning('id').executeTakeFirstOrThrow()
    const row = { history_id: made.id, ...storeItem(ctx.secrets, item) }
    await ctx.database.db.insertInto('history_items').values(row).execute()
    return scene.root.call(api.history.get, { id: made.id })
  }
  const alone = await insert({
    before: { password_hash: old },
    after: { password_hash: after.password_hash },
  })
  expect(alone).toMatchObject({ undoable: false, why_not_code: 'history.final_password' })
  const mixed = await insert({ before, after })
  expect(mixed).toMatchObject({ undoable: true, after: { display_name: 'Anew', password: 'changed' } })
  await scene.root.call(api.users.update, { id, password: 'the third one' })
  await scene.undo(mixed)
  expect((await scene.root.call(api.users.get, { id })).display_name).toBe('earlier')
  expect(await logsIn('earlier', 'the third one')).toBeTrue()
  expect(await logsIn('earlier', 'the first one')).toBeFalse()
})

test('the history keeps no hash of a password that was changed', async () => {
  const id = await newUser('unkept')
  const old = await hashOf(id)
  await scene.root.call(api.users.update, { id, password: 'the second one' })
  const { ctx } = scene.app
  const rows = await ctx.database.db.selectFrom('history_items').selectAll().where('target', '=', String(id)).execute()
  const opened = rows.filter(({ sealed }) => sealed !== '').map(({ sealed }) => ctx.secrets.open(sealed))
  const changed = opened.filter((text) => !text.includes('"before":{}'))
  expect(changed.length).toBeGreaterThan(0)
  for (const text of changed) expect(text).not.toContain(old)
})
