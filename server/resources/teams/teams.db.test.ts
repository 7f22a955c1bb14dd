import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { book } from '#server/billing/ledger/book.ts'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp, TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
let root: TestClient
let owner: SignedIn
let manager: SignedIn
let member: SignedIn
let stranger: SignedIn
let id: number

beforeAll(async () => {
  app = await borrowApp()
  root = await app.root()
  owner = await signIn(app, { quota: 10_000 })
  manager = await signIn(app)
  member = await signIn(app, { quota: 1000 })
  stranger = await signIn(app)
  id = (await owner.call(api.teams.create, { name: 'Blue' })).id
  await enter(manager, 'manager')
  await enter(member, 'member')
})
afterEach(async () => {
  expect(await reconcile(app.ctx.database.db)).toEqual([])
})
afterAll(() => app.stop())

async function enter(who: SignedIn, role: 'manager' | 'member', team = id): Promise<void> {
  const { code } = await owner.call(api.teams.invite, { id: team, role })
  await who.call(api.teams.join, { code })
}

const codeOf = async (answer: Promise<{ code?: string | undefined }>) => (await answer).code

describe('a team', () => {
  test('is shown to those in it with what they are, and to administrators; nobody else learns of it', async () => {
    const shown = await owner.call(api.teams.get, { id })
    expect(shown).toMatchObject({
      id,
      name: 'Blue',
      role: 'owner',
      quota: 0,
      used_quota: 0,
      member_count: 3,
      budget: 0,
    })
    expect(shown.members.map(({ role }) => role)).toEqual(['owner', 'manager', 'member'])
    expect(shown.budget_period).toBe('month')
    const own = await member.call(api.teams.get, { id })
    expect(own.members).toMatchObject([{ user_id: member.userId, username: member.username, role: 'member' }])
    expect((await root.call(api.teams.get, { id })).members).toHaveLength(3)
    expect(await codeOf(stranger.raw(api.teams.get, { id }))).toBe('team.not_found')
    expect((await member.call(api.teams.list, {})).list).toMatchObject([{ id, role: 'member', member_count: 3 }])
    expect((await stranger.call(api.teams.list, {})).total).toBe(0)
    expect((await root.call(api.teams.list, {})).total).toBe(0)
    expect((await root.call(api.teams.list, { all: 'true', keyword: 'blu' })).list).toMatchObject([{ id, role: '' }])
    expect(await codeOf(owner.raw(api.teams.list, { all: 'true' }))).toBe('auth.forbidden')
  })

  test.each(['', ' ', 'x'.repeat(31)])('cannot be called %p', async (name) => {
    expect((await owner.raw(api.teams.create, { name })).success).toBe(false)
  })

  test('is created by administrators alone when the operator says so', async () => {
    await setOptions(app, { TeamCreation: 'admin' })
    expect(await codeOf(stranger.raw(api.teams.create, { name: 'No' }))).toBe('team.creation_closed')
    await setOptions(app, { TeamCreation: 'everyone' })
  })

  test('is renamed and given a budget by owner and manager, and quota by administrators', async () => {
    expect(
      await manager.call(api.teams.update, { id, name: 'Green', budget: 500, budget_period: 'week' }),
    ).toMatchObject({
      name: 'Green',
      budget: 500,
      budget_period: 'week',
    })
    expect(await codeOf(member.raw(api.teams.update, { id, name: 'Red' }))).toBe('auth.forbidden')
    expect(await codeOf(owner.raw(api.teams.update, { id, quota: 5 }))).toBe('auth.forbidden')
    expect(await codeOf(root.raw(api.teams.update, { id, name: 'Red' }))).toBe('auth.forbidden')
    expect(await root.call(api.teams.update, { id, quota: 500 })).toMatchObject({ quota: 500 })
    expect(await root.call(api.teams.update, { id, quota: 100, quota_before: 400 })).toMatchObject({ quota: 200 })
    await root.call(api.teams.update, { id, quota: 0 })
    for (const bad of [{ budget: -1 }, { budget: 1.5 }, { budget: 2 ** 60 }, { budget_period: 'year' }])
      expect((await owner.raw(api.teams.update, { id, ...(bad as { budget: number }) })).success).toBe(false)
  })
})

describe('an invitation', () => {
  test('is used once, ends after seven days, or when it is ended', async () => {
    const { code, link, expires_at } = await owner.call(api.teams.invite, { id, role: 'member' })
    expect(link).toContain(code)
    expect(expires_at - Math.floor(Date.now() / 1000)).toBeGreaterThan(604_700)
    expect(await codeOf(member.raw(api.teams.join, { code }))).toBe('team.already_member')
    await stranger.call(api.teams.join, { code })
    const other = await signIn(app)
    expect(await codeOf(other.raw(api.teams.join, { code }))).toBe('team.invite_invalid')
    await stranger.call(api.teams.removeMember, { id, user_id: stranger.userId })
    const late = await owner.call(api.teams.invite, { id })
    app.time.now = Date.now() + 7 * 86_400_000
    expect(await codeOf(other.raw(api.teams.join, { code: late.code }))).toBe('team.invite_invalid')
    app.time.now = null
    const ended = await manager.call(api.teams.invite, { id, role: 'member' })
    const { list } = await manager.call(api.teams.invites, { id })
    expect(list.map((invite) => invite.id)).toContain(ended.id)
    expect(JSON.stringify(list)).not.toContain(ended.code)
    await manager.call(api.teams.endInvite, { id, code_id: ended.id })
    expect(await codeOf(other.raw(api.teams.join, { code: ended.code }))).toBe('team.invite_invalid')
  })

  test('is not made above the own role', async () => {
    expect(await codeOf(manager.raw(api.teams.invite, { id, role: 'manager' }))).toBe('auth.forbidden')
    expect(await codeOf(member.raw(api.teams.invite, { id, role: 'member' }))).toBe('auth.forbidden')
    expect((await owner.raw(api.teams.invite, { id, role: 'owner' as 'member' })).success).toBe(false)
  })
})

describe('members', () => {
  test('get budgets from those above them, and nobody from himself', async () => {
    const set = (who: SignedIn, user_id: number) => who.raw(api.teams.changeMember, { id, user_id, budget: 70 })
    expect((await set(manager, member.userId)).success).toBe(true)
    expect((await owner.call(api.teams.get, { id })).members.at(-1)).toMatchObject({ budget: 70, budget_used: 0 })
    expect(await codeOf(set(manager, owner.userId))).toBe('auth.forbidden')
    expect(await codeOf(set(manager, manager.userId))).toBe('team.own_budget')
    expect(await codeOf(set(member, member.userId))).toBe('auth.forbidden')
    expect((await set(owner, manager.userId)).success).toBe(true)
    expect(await codeOf(set(owner, stranger.userId))).toBe('team.member_not_found')
    const role = manager.raw(api.teams.changeMember, { id, user_id: member.userId, role: 'manager' })
    expect(await codeOf(role)).toBe('auth.forbidden')
  })

  test('leave, and their tokens end; the owner passes the team on first', async () => {
    const token = await member.call(api.tokens.create, { name: 'team', team_id: id })
    expect(await codeOf(owner.raw(api.teams.removeMember, { id, user_id: owner.userId }))).toBe('team.owner_stays')
    expect(await codeOf(manager.raw(api.teams.removeMember, { id, user_id: owner.userId }))).toBe('team.owner_stays')
    await member.call(api.teams.removeMember, { id, user_id: member.userId })
    expect(await codeOf(member.raw(api.tokens.get, { id: token.id }))).toBe('token.not_found')
    await enter(member, 'member')
    const passed = await owner.call(api.teams.changeMember, { id, user_id: manager.userId, role: 'owner' })
    expect(passed.members.find(({ user_id }) => user_id === owner.userId)?.role).toBe('manager')
    await manager.call(api.teams.changeMember, { id, user_id: owner.userId, role: 'owner' })
  })

  test('lose their budget with becoming the owner, for nobody could lift it', async () => {
    await owner.call(api.teams.changeMember, { id, user_id: manager.userId, budget: 1 })
    const budgetOf = async () => {
      const { members } = await owner.call(api.teams.get, { id })
      return members.find(({ user_id }) => user_id === manager.userId)?.budget
    }
    expect(await budgetOf()).toBe(1)
    await owner.call(api.teams.changeMember, { id, user_id: manager.userId, role: 'owner' })
    expect(await budgetOf()).toBe(0)
    await manager.call(api.teams.changeMember, { id, user_id: owner.userId, role: 'owner' })
  })

  test('have tokens only they see the keys of; managers see and edit all the others', async () => {
    const made = await member.call(api.tokens.create, {
      name: 'mine',
      team_id: id,
      budget: 9,
      rpm: 3,
      group: 'default',
    })
    expect(made).toMatchObject({ team_id: id, budget: 9, budget_used: 0, rpm: 3, group: 'default' })
    const seen = (await manager.call(api.tokens.list, { team_id: id })).list.find((token) => token.id === made.id)
    expect(seen).toMatchObject({ key: '', name: 'mine', user_id: member.userId })
    expect(await manager.call(api.tokens.update, { id: made.id, budget: 11 })).toMatchObject({ budget: 11, key: '' })
    expect(await codeOf(manager.raw(api.tokens.rotate, { id: made.id }))).toBe('token.not_found')
    expect(await codeOf(stranger.raw(api.tokens.list, { team_id: id }))).toBe('team.not_found')
    expect(await codeOf(stranger.raw(api.tokens.create, { name: 'no', team_id: id }))).toBe('team.not_member')
    expect(await codeOf(root.raw(api.tokens.create, { name: 'no', team_id: id }))).toBe('team.not_member')
    expect((await stranger.raw(api.tokens.create, { name: 'no', group: 'vip' })).success).toBe(false)
    expect((await member.call(api.tokens.list, { team_id: 0 })).list.map(({ name }) => name)).not.toContain('mine')
  })
})

describe('the wallet of a team', () => {
  test('takes redemption codes and what its members own, but no gifts', async () => {
    const [code] = await root.call(api.redemptions.create, { name: 'gift', quota: 40, count: 1 })
    expect(await member.call(api.teams.topUp, { id, key: code ?? '' })).toBe(40)
    expect(await codeOf(member.raw(api.teams.topUp, { id, key: code ?? '' }))).toBe('topup.used')
    await app.ctx.database.db
      .transaction()
      .execute((tx) => book(tx, { userId: member.userId, kind: 'grant', amount: 300, ref: 'a gift', at: 0 }))
    expect(await codeOf(member.raw(api.teams.transfer, { id, quota: 1001 }))).toBe('team.transfer_too_much')
    expect(await member.call(api.teams.transfer, { id, quota: 1000 })).toBe(1000)
    expect((await member.call(api.account.self, {})).quota).toBe(300)
    expect((await owner.call(api.teams.get, { id })).quota).toBe(1040)
    const { list } = await owner.call(api.logs.own, { type: 1, team_id: id })
    expect(list.map(({ quota, username }) => [quota, username])).toEqual([
      [1000, member.username],
      [40, member.username],
    ])
    for (const quota of [0, -1, 1.5]) expect((await owner.raw(api.teams.transfer, { id, quota })).success).toBe(false)
    expect(await codeOf(stranger.raw(api.teams.transfer, { id, quota: 1 }))).toBe('team.not_found')
  })

  test('is not emptied by what a running request holds', async () => {
    const token = await owner.call(api.tokens.create, { name: 'own', unlimited_quota: true })
    const party = { userId: owner.userId, tokenId: token.id, teamId: 0, memberId: 0 }
    const request = { id: 'running-own', ...party, least: 9000, wanted: 9000, at: 1, limits: null }
    await app.ctx.ledger.reserve(request)
    expect(await codeOf(owner.raw(api.teams.transfer, { id, quota: 1001 }))).toBe('team.transfer_too_much')
    const end = { charge: 0, channelId: 0, counts: false, log: null, at: 1, admittedAt: 1, corrections: [] }
    await app.ctx.ledger.settle({ id: request.id, ...party, ...end })
  })

  test('goes to the owner when the team is deleted, which waits for running requests', async () => {
    const { id: doomed } = await owner.call(api.teams.create, { name: 'Short' })
    await owner.call(api.teams.transfer, { id: doomed, quota: 500 })
    const token = await owner.call(api.tokens.create, { name: 'team', team_id: doomed, unlimited_quota: true })
    const own = await app.ctx.database.db
      .selectFrom('team_members')
      .select('id')
      .where('team_id', '=', doomed)
      .executeTakeFirstOrThrow()
    const party = { userId: owner.userId, tokenId: token.id, teamId: doomed, memberId: own.id }
    await app.ctx.ledger.reserve({ id: 'running-team', ...party, least: 50, wanted: 50, at: 1, limits: null })
    expect(await codeOf(owner.raw(api.teams.remove, { id: doomed }))).toBe('team.running')
    const end = { channelId: 0, counts: true, log: null, at: 1, admittedAt: 1, corrections: [] }
    await app.ctx.ledger.settle({ id: 'running-team', ...party, charge: 30, ...end })
    const before = (await owner.call(api.account.self, {})).quota
    expect(await codeOf(member.raw(api.teams.remove, { id: doomed }))).toBe('team.not_found')
    await owner.call(api.teams.remove, { id: doomed })
    expect((await owner.call(api.account.self, {})).quota).toBe(before + 470)
    expect(await codeOf(owner.raw(api.teams.get, { id: doomed }))).toBe('team.not_found')
    expect(await codeOf(owner.raw(api.tokens.get, { id: token.id }))).toBe('token.not_found')
  })
})

describe('an owner who goes', () => {
  test('must pass the team on before he deletes himself', async () => {
    expect(await codeOf(owner.raw(api.account.remove, {}))).toBe('user.owns_team')
  })

  test('is followed by the longest-serving manager when an administrator deletes him; a team of one ends', async () => {
    const leaving = await signIn(app, { quota: 100 })
    const { id: team } = await leaving.call(api.teams.create, { name: 'Orphan' })
    const { id: alone } = await leaving.call(api.teams.create, { name: 'Alone' })
    await leaving.call(api.teams.transfer, { id: alone, quota: 60 })
    for (const [who, role] of [
      [stranger, 'member'],
      [manager, 'manager'],
    ] as const) {
      const { code } = await leaving.call(api.teams.invite, { id: team, role })
      await who.call(api.teams.join, { code })
    }
    await leaving.call(api.teams.changeMember, { id: team, user_id: manager.userId, budget: 1 })
    await root.call(api.users.manage, { username: leaving.username, action: 'delete' })
    const { role, members } = await manager.call(api.teams.get, { id: team })
    expect(role).toBe('owner')
    expect(members.find(({ user_id }) => user_id === manager.userId)?.budget).toBe(0)
    expect(await codeOf(root.raw(api.teams.get, { id: alone }))).toBe('team.not_found')
  })
})
