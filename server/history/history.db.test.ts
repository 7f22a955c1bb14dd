import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { type HistoryScene, historyScene } from '#server/testing/history-scene.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { signIn } from '#server/testing/sign-in.ts'
import type { TestApp, TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import type { HistoryEntry, HistoryKind } from '#shared/api/history.ts'

let scene: HistoryScene
let app: TestApp
let root: TestClient
beforeAll(async () => {
  scene = await historyScene()
  ;({ app, root } = scene)
})
afterAll(() => app.stop())

const newest = (kind?: HistoryKind) => scene.newest(kind)
const undo = (entry: HistoryEntry, client?: TestClient) => scene.undo(entry, client)
const refusal = (entry: HistoryEntry, client?: TestClient) => scene.refusal(entry, client)
const makeChannel = (name: string, key?: string) => scene.makeChannel(name, key)

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

  test('a secret is sealed, shown as changed, and put back', async () => {
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

  test('a name that somebody else has taken since is not put back', async () => {
    await root.call(api.users.create, { username: 'formerly', password: 'some password' })
    const userId = Number((await newest('user')).target)
    await root.call(api.users.update, { id: userId, username: 'nowadays' })
    const entry = await newest('user')
    await root.call(api.users.create, { username: 'fоrmerly', password: 'some password' })
    const taken = await root.call(api.history.get, { id: entry.id })
    expect(taken).toMatchObject({ undoable: false, why_not_code: 'history.taken' })
    expect(await refusal(entry)).toBe('Something else has taken the place of user formerly since')
    await root.call(api.users.manage, { username: 'fоrmerly', action: 'delete' })
    await undo(entry)
    expect((await root.call(api.users.get, { id: userId })).username).toBe('formerly')
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
    await undo(await newest('user'))
    await root.call(api.users.manage, { username: 'leaver', action: 'delete' })
    const entry = await newest('user')
    expect(entry).toMatchObject({ target: String(admin.userId), after: null, undoable: false })
    expect(await refusal(entry)).toContain('gone for good')
    expect(await root.call(api.history.get, { id: theirs.id })).toMatchObject({ actor: '', actor_id: admin.userId })
    for (const path of ['/api/history/?pagesize=100', '/api/log/?pagesize=100']) {
      expect(await (await root.fetch(path)).text()).not.toMatch(/leaver/i)
    }
  })

  test('an account whose creation is undone leaves no name either', async () => {
    await root.call(api.users.create, { username: 'passer', display_name: 'Passer By', password: 'pass-word-1' })
    const taken = await undo(await newest('user'))
    expect(taken).toMatchObject({ name: '', before: { role: 1, status: 1 }, after: null, undoable: false })
    for (const path of ['/api/history/?pagesize=100', '/api/log/?pagesize=100']) {
      expect(await (await root.fetch(path)).text()).not.toMatch(/passer/i)
    }
  })

  test('the creation of an account is not undone once it has had money, beyond its gift', async () => {
    await setOptions(app, { QuotaForNewUser: '700' })
    const open = async (username: string) => {
      await root.call(api.users.create, { username, password: 'pass-word-1' })
      const made = await newest('user')
      return { made, id: Number(made.target) }
    }
    const [kept, gone] = [await open('kept'), await open('gone')]
    await root.call(api.users.update, { id: kept.id, quota: 900 })
    expect(await refusal(kept.made)).toContain('money is never undone')
    expect((await root.call(api.history.get, { id: kept.made.id })).undoable).toBeFalse()
    expect((await root.call(api.users.get, { id: kept.id })).quota).toBe(900)
    await undo(gone.made)
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

  test('an old key that was ended early works again, for as long as it would have', async () => {
    const admin = await signIn(app, { role: 'admin' })
    const { id } = await admin.call(api.tokens.create, { name: 'rotated' })
    const { previous_key_expires } = await admin.call(api.tokens.rotate, { id, grace: 3600 })
    const rotated = await newest('token')
    await admin.call(api.tokens.endGrace, { id })
    const ended = await newest('token')
    expect(ended).toMatchObject({ before: { previous_key_expires }, after: { previous_key_expires: 0 } })
    await undo(ended, admin)
    expect(await admin.call(api.tokens.get, { id })).toMatchObject({ previous_key_expires })
    await undo(rotated, admin)
    expect(await admin.call(api.tokens.get, { id })).toMatchObject({ previous_key_expires: 0 })
  })

  test('nobody puts a token back into a team he has left', async () => {
    const [owner, admin] = [await signIn(app), await signIn(app, { role: 'admin' })]
    const { id } = await owner.call(api.teams.create, { name: 'left' })
    const { code } = await owner.call(api.teams.invite, { id, role: 'member' })
    await admin.call(api.teams.join, { code })
    const token = await admin.call(api.tokens.create, { name: 'moved', team_id: id })
    await admin.call(api.tokens.update, { id: token.id, name: 'moved', team_id: 0 })
    const entry = await newest('token')
    expect(entry).toMatchObject({ before: { team_id: id }, after: { team_id: 0 } })
    await owner.call(api.teams.removeMember, { id, user_id: admin.userId })
    expect(await refusal(entry, admin)).toBe('You are not a member of this team')
    expect((await admin.call(api.tokens.get, { id: token.id })).team_id).toBe(0)
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

describe('teams', () => {
  test('a name and a budget are put back by who manages the team; money is not', async () => {
    const owner = await signIn(app, { role: 'admin' })
    const { id } = await owner.call(api.teams.create, { name: 'crew' })
    const made = await newest('team')
    await owner.call(api.teams.update, { id, name: 'the crew', budget: 500, budget_period: 'week' })
    const entry = await newest('team')
    expect(entry).toMatchObject({ before: { name: 'crew', budget: 0 }, after: { name: 'the crew', budget: 500 } })
    expect(await refusal(entry)).toBe('You do not have the right to do this')
    const undone = await undo(entry, owner)
    expect(await owner.call(api.teams.get, { id })).toMatchObject({ name: 'crew', budget: 0, budget_period: 'month' })
    await undo(undone, owner)
    expect((await owner.call(api.teams.get, { id })).name).toBe('the crew')
    await root.call(api.teams.update, { id, quota: 1000 })
    expect((await newest('team')).undoable).toBeFalse()
    expect(await refusal(made, owner)).not.toBe('')
  })

  test('what was changed of a member says of whom, and that it is final', async () => {
    const [owner, member] = [await signIn(app), await signIn(app)]
    const { id } = await owner.call(api.teams.create, { name: 'band' })
    const { code } = await owner.call(api.teams.invite, { id, role: 'member' })
    await member.call(api.teams.join, { code })
    await owner.call(api.teams.changeMember, { id, user_id: member.userId, budget: 500 })
    const entry = await newest('team')
    expect(entry).toMatchObject({ target: String(id), name: `band #${member.userId}`, after: { budget: 500 } })
    expect(await refusal(entry)).toBe('What was changed of a member is final; change it again in the team')
  })

  test('an unused team is taken back by deleting it', async () => {
    const owner = await signIn(app, { role: 'admin' })
    const { id } = await owner.call(api.teams.create, { name: 'brief' })
    const gone = await undo(await newest('team'), owner)
    expect((await owner.raw(api.teams.get, { id })).success).toBeFalse()
    expect((await root.call(api.history.get, { id: gone.id })).undoable).toBeFalse()
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
