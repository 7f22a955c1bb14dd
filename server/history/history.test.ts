import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import type { HistoryEntry, HistoryKind } from '#shared/api/history.ts'

let app: TestApp
let root: TestClient
beforeAll(async () => {
  app = await startTestApp()
  root = await app.root()
})
afterAll(() => app.stop())

const newest = async (kind?: HistoryKind, client = root): Promise<HistoryEntry> => {
  const { list } = await client.call(api.history.list, { pagesize: 1, ...(kind ? { kind } : {}) })
  if (!list[0]) throw new Error('the history is empty')
  return list[0]
}
const undo = (entry: HistoryEntry, client = root) => client.call(api.history.undo, { id: entry.id })
const refusal = async (entry: HistoryEntry, client = root) =>
  (await client.raw(api.history.undo, { id: entry.id })).message

const makeChannel = async (name: string, key = `planted-key-of-${name}`): Promise<number> => {
  await root.call(api.channels.create, { name, type: 1, key, models: 'gpt-4o,gpt-4o-mini' })
  const { list } = await root.call(api.channels.search, { keyword: name })
  return list[0]?.id ?? 0
}
const keyOf = async (id: number): Promise<string> => {
  const row = await app.ctx.database.db
    .selectFrom('channels')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return app.ctx.secrets.open(row.key_sealed)
}
describe('channels', () => {
  test('an edit holds what changed, and is undone and done again', async () => {
    const id = await makeChannel('edited')
    await root.call(api.channels.update, { id, priority: 7, models: 'gpt-4o' })
    const entry = await newest('channel')
    expect(entry).toMatchObject({
      actor: 'root',
      address: '127.0.0.1',
      target: String(id),
      name: 'edited',
      before: { priority: 0, models: 'gpt-4o,gpt-4o-mini' },
      after: { priority: 7, models: 'gpt-4o' },
      undoable: true,
      why_not: '',
      undone_by: null,
    })
    expect(Object.keys(entry.before ?? {})).toHaveLength(2)
    const undone = await undo(entry)
    expect(undone).toMatchObject({ undoes: entry.id, before: { priority: 7 }, after: { priority: 0 }, undoable: true })
    expect(await root.call(api.channels.get, { id })).toMatchObject({ priority: 0, models: 'gpt-4o,gpt-4o-mini' })
    expect(await root.call(api.history.get, { id: entry.id })).toMatchObject({ undone_by: undone.id, undoable: false })
    expect(await refusal(entry)).toContain(`Already undone by entry ${undone.id}`)
    await undo(undone)
    expect(await root.call(api.channels.get, { id })).toMatchObject({ priority: 7, models: 'gpt-4o' })
  })

  test('a change of the same field since is a conflict that names it, of another field it is not', async () => {
    const id = await makeChannel('disputed')
    await root.call(api.channels.update, { id, weight: 5 })
    const entry = await newest('channel')
    await root.call(api.channels.update, { id, priority: 3 })
    expect((await root.call(api.history.get, { id: entry.id })).undoable).toBeTrue()
    await root.call(api.channels.update, { id, weight: 6 })
    const later = await newest('channel')
    const now = await root.call(api.history.get, { id: entry.id })
    expect(now.undoable).toBeFalse()
    expect(now.why_not).toMatch(/weight of channel disputed, by root at \d{4}-/)
    expect(await refusal(entry)).toBe(now.why_not)
    expect((await root.call(api.channels.get, { id })).weight).toBe(6)
    await undo(later)
    await undo(entry)
    expect(await root.call(api.channels.get, { id })).toMatchObject({ weight: 0, priority: 3 })
  })

  test('a new key is told as changed, put back by an undo, and found in no answer', async () => {
    const id = await makeChannel('rekeyed', 'planted-old-key')
    await root.call(api.channels.update, { id, key: 'planted-new-key' })
    const entry = await newest('channel')
    expect(entry).toMatchObject({ before: { key: 'changed' }, after: { key: 'changed' } })
    await undo(entry)
    expect(await keyOf(id)).toBe('planted-old-key')
    const all = await root.fetch('/api/history/?pagesize=100')
    expect(await all.text()).not.toContain('planted')
    const rows = await app.ctx.database.db.selectFrom('history_items').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('planted-old')
  })

  test('a key is not put back where it would be sent elsewhere', async () => {
    const id = await makeChannel('carried', 'planted-victim')
    await root.call(api.channels.update, { id, key: 'attackers' })
    const rekeyed = await newest('channel')
    await root.call(api.channels.update, { id, base_url: 'https://evil.example', key: 'attackers' })
    expect(await refusal(rekeyed)).toContain('base_url')
    expect(await keyOf(id)).toBe('attackers')
    await undo(await newest('channel'))
    expect(await refusal(rekeyed)).toContain('base_url')
  })

  test('a deleted channel comes back with its number and its key', async () => {
    const id = await makeChannel('deleted')
    const before = await root.call(api.channels.get, { id })
    await root.call(api.channels.remove, { id })
    const entry = await newest('channel')
    expect(entry).toMatchObject({ after: null, before: { name: 'deleted', key: 'changed' }, target: String(id) })
    const back = await undo(entry)
    expect(back).toMatchObject({ before: null, after: { name: 'deleted' } })
    expect(await root.call(api.channels.get, { id })).toEqual(before)
    expect(await keyOf(id)).toBe('planted-key-of-deleted')
    await undo(back)
    expect((await root.raw(api.channels.get, { id })).success).toBeFalse()
  })

  test('a creation is undone by deleting, unless the channel was changed', async () => {
    const id = await makeChannel('made')
    const made = await newest('channel')
    expect(made).toMatchObject({ before: null, after: { name: 'made', models: 'gpt-4o,gpt-4o-mini' } })
    await root.call(api.channels.update, { id, name: 'made anew' })
    const renamed = await newest('channel')
    expect(await refusal(made)).toContain('name of channel made')
    await undo(renamed)
    await undo(made)
    expect((await root.raw(api.channels.get, { id })).success).toBeFalse()
  })

  test('all disabled ones deleted at once are one entry and come back together', async () => {
    const ids = [await makeChannel('off one'), await makeChannel('off two')]
    for (const id of ids) await root.call(api.channels.update, { id, status: 2 })
    await root.call(api.channels.removeDisabled, {})
    const entry = await newest('channel')
    expect(entry).toMatchObject({ count: 2, after: null, target: ids.join(',') })
    await undo(entry)
    for (const id of ids) expect((await root.call(api.channels.get, { id })).status).toBe(2)
  })

  test('a batch is one entry and one undo', async () => {
    const ids = [await makeChannel('batch one'), await makeChannel('batch two')]
    await root.call(api.channels.batch, { ids, change: { priority: 8 } })
    const entry = await newest('channel')
    expect(entry).toMatchObject({ count: 2, before: { [String(ids[0])]: { priority: 0 } } })
    await undo(entry)
    for (const id of ids) expect((await root.call(api.channels.get, { id })).priority).toBe(0)
    await root.call(api.channels.removeBatch, { ids: ids.join(',') })
    await undo(await newest('channel'))
    for (const id of ids) expect((await root.call(api.channels.get, { id })).name).toMatch(/^batch/)
  })

  test('after thirty days what was deleted is gone for good', async () => {
    const id = await makeChannel('long gone')
    await root.call(api.channels.remove, { id })
    const entry = await newest('channel')
    app.time.now = Date.now() + 31 * 86_400_000
    const { forgetOldSecrets } = await import('#server/history/forget.ts')
    await forgetOldSecrets(app.ctx)
    app.time.now = null
    expect(await refusal(entry)).toContain('30 days')
    const { sealed } = await app.ctx.database.db
      .selectFrom('history_items')
      .select('sealed')
      .where('history_id', '=', entry.id)
      .executeTakeFirstOrThrow()
    expect(sealed).toBe('expired')
  })
})

describe('options', () => {
  test('a change is undone at once, a conflict is refused', async () => {
    await root.call(api.options.update, { key: 'RetryTimes', value: '0' })
    await root.call(api.options.update, { key: 'RetryTimes', value: '5' })
    const entry = await newest('option')
    expect(entry).toMatchObject({ target: 'RetryTimes', before: { value: '0' }, after: { value: '5' } })
    await undo(entry)
    expect(app.ctx.options().RetryTimes).toBe(0)
    await undo(await newest('option'))
    expect(app.ctx.options().RetryTimes).toBe(5)
    const redone = await newest('option')
    await root.call(api.options.update, { key: 'RetryTimes', value: '6' })
    expect(await refusal(redone)).toContain('Changed since')
  })

  test('a secret is sealed, told as changed, and put back', async () => {
    await root.call(api.options.update, { key: 'SMTPToken', value: 'planted-token-1' })
    await root.call(api.options.update, { key: 'SMTPToken', value: 'planted-token-2' })
    const entry = await newest('option')
    expect(entry).toMatchObject({ before: { value: 'changed' }, after: { value: 'changed' } })
    await undo(entry)
    expect(app.ctx.options().SMTPToken).toBe('planted-token-1')
    const rows = await app.ctx.database.db.selectFrom('history_items').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('planted-token')
  })

  test('nobody undoes what is not theirs to change', async () => {
    await root.call(api.options.update, { key: 'TopUpLink', value: 'https://shop.example' })
    const entry = await newest('option')
    const admin = await signIn(app, { role: 'admin' })
    expect(await admin.call(api.history.get, { id: entry.id })).toMatchObject({
      undoable: false,
      why_not_code: 'option.root_only',
    })
    expect(await refusal(entry, admin)).toContain('Only the super administrator')
    expect(app.ctx.options().TopUpLink).toBe('https://shop.example')
  })
})

describe('users', () => {
  test('a group, a role and a ban are undone, by those who may', async () => {
    const person = await signIn(app)
    const { userId, username } = person
    const groupOf = async () => (await root.call(api.users.get, { id: userId })).group
    await root.call(api.users.update, { id: userId, group: 'vip' })
    const regrouped = await newest('user')
    expect(regrouped).toMatchObject({ before: { group: 'default' }, after: { group: 'vip' }, target: String(userId) })
    await undo(regrouped)
    expect(await groupOf()).toBe('default')
    await root.call(api.users.manage, { username, action: 'promote' })
    const promoted = await newest('user')
    const admin = await signIn(app, { role: 'admin' })
    expect(await refusal(promoted, admin)).toContain('No right')
    await undo(promoted)
    expect((await root.call(api.users.get, { id: userId })).role).toBe(1)
    await root.call(api.users.manage, { username, action: 'disable' })
    await undo(await newest('user'), admin)
    expect((await root.call(api.users.get, { id: userId })).status).toBe(1)
  })

  test('a quota edit is an entry and final', async () => {
    const { userId } = await signIn(app, { quota: 100 })
    await root.call(api.users.update, { id: userId, quota: 500, display_name: 'Rich' })
    const entry = await newest('user')
    expect(entry).toMatchObject({ before: { quota: 100 }, after: { quota: 500 }, undoable: false })
    expect(entry.why_not).not.toBe('')
    expect(await refusal(entry)).toBe(entry.why_not)
    expect((await root.call(api.users.get, { id: userId })).quota).toBe(500)
    const [, profile] = (await root.call(api.history.list, { kind: 'user', target: String(userId) })).list
    expect(profile).toMatchObject({ after: { display_name: 'Rich' }, undoable: true })
  })

  test('a deleted account is final, and its name leaves the history', async () => {
    const admin = await signIn(app, { role: 'admin', username: 'leaver' })
    await admin.call(api.options.update, { key: 'RetryTimes', value: '3' })
    const theirs = await newest('option')
    await root.call(api.users.update, { id: admin.userId, display_name: 'Mx Leaver' })
    await root.call(api.users.manage, { username: 'leaver', action: 'delete' })
    const entry = await newest('user')
    expect(entry).toMatchObject({ target: String(admin.userId), after: null, undoable: false })
    expect(await refusal(entry)).toContain('gone for good')
    expect(await root.call(api.history.get, { id: theirs.id })).toMatchObject({ actor: '', actor_id: admin.userId })
    expect(await (await root.fetch('/api/history/?pagesize=100')).text()).not.toMatch(/leaver/i)
  })
})

describe('tokens', () => {
  test("an administrator's deleted token comes back with its key and quota, and the ledger proves it", async () => {
    const admin = await signIn(app, { role: 'admin', quota: 1000 })
    const token = await admin.call(api.tokens.create, { name: 'ci', remain_quota: 700 })
    await admin.call(api.tokens.update, { id: token.id, remain_quota: 600, name: 'ci' })
    await admin.call(api.tokens.remove, { id: token.id })
    const entry = await newest('token')
    expect(entry).toMatchObject({ name: 'ci', before: { key: 'changed', unlimited_quota: false }, after: null })
    expect(await refusal(entry)).toContain('Only its owner')
    await undo(entry, admin)
    expect(await admin.call(api.tokens.get, { id: token.id })).toMatchObject({ key: token.key, remain_quota: 600 })
    expect(await reconcile(app.ctx.database.db)).toEqual([])
    expect(JSON.stringify(await root.call(api.history.list, { kind: 'token' }))).not.toContain(token.key)
  })

  test("an ordinary user's tokens are no part of the history", async () => {
    const person = await signIn(app)
    const { total } = await root.call(api.history.list, { kind: 'token' })
    await person.call(api.tokens.create, { name: 'own' })
    expect((await root.call(api.history.list, { kind: 'token' })).total).toBe(total)
  })
})

describe('redemptions', () => {
  test('codes come back as they were; used ones stay as they are', async () => {
    const [key = ''] = await root.call(api.redemptions.create, { name: 'autumn', quota: 1000, count: 1 })
    const made = await newest('redemption')
    const id = Number(made.target)
    expect(JSON.stringify(made)).not.toContain(key)
    await root.call(api.redemptions.remove, { id })
    await undo(await newest('redemption'))
    expect(await root.call(api.redemptions.get, { id })).toMatchObject({ key, quota: 1000, status: 1 })
    await root.call(api.redemptions.update, { id, quota: 2000 })
    await undo(await newest('redemption'))
    await (await signIn(app)).call(api.account.topUp, { key })
    expect(await refusal(made)).not.toBe('')
    expect((await root.call(api.redemptions.get, { id })).status).toBe(3)
  })
})

test('clearing the log is an entry and final', async () => {
  const target = Math.floor(Date.now() / 1000) - 86_400
  await root.call(api.logs.clear, { target_timestamp: target })
  const entry = await newest('log')
  expect(entry).toMatchObject({ target: String(target), undoable: false })
  expect(await refusal(entry)).toContain('gone for good')
})

test('the list is filtered by actor, kind, target and time', async () => {
  const admin = await signIn(app, { role: 'admin', username: 'filterer' })
  const id = await makeChannel('filtered')
  await admin.call(api.channels.update, { id, weight: 9 })
  const count = async (filter: Record<string, string | number>) =>
    (await root.call(api.history.list, filter as never)).total
  expect(await count({ actor: 'filterer' })).toBe(1)
  expect(await count({ actor: String(admin.userId), kind: 'channel' })).toBe(1)
  expect(await count({ actor: 'filterer', kind: 'option' })).toBe(0)
  expect(await count({ kind: 'channel', target: String(id) })).toBe(2)
  expect(await count({ target: 'filtered' })).toBe(2)
  const now = Math.floor(Date.now() / 1000)
  expect(await count({ target: 'filtered', from: now - 60, to: now + 60 })).toBe(2)
  expect(await count({ target: 'filtered', to: now - 60 })).toBe(0)
})

test('of two who undo the same entry at once, one does', async () => {
  const id = await makeChannel('raced')
  await root.call(api.channels.update, { id, weight: 4 })
  const entry = await newest('channel')
  const answers = await Promise.all([1, 2, 3].map(() => root.raw(api.history.undo, { id: entry.id })))
  expect(answers.filter(({ success }) => success)).toHaveLength(1)
})

test('a refused change leaves no entry', async () => {
  const { total } = await root.call(api.history.list, {})
  await root.raw(api.options.update, { key: 'RetryTimes', value: 'many' })
  await root.raw(api.channels.update, { id: 999_999, weight: 1 })
  expect((await root.call(api.history.list, {})).total).toBe(total)
})
