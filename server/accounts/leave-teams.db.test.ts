import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import { teamsPerUserMax } from '#shared/api/teams.ts'

let app: TestApp
let root: SignedIn
beforeAll(async () => {
  app = await borrowApp()
  root = await signIn(app, { role: 'root' })
})
afterEach(async () => {
  expect(await reconcile(app.ctx.database.db)).toEqual([])
})
afterAll(() => app.stop())

/** What those in a team are there; null when it has ended. */
async function roles(id: number): Promise<string[] | null> {
  const { db } = app.ctx.database
  const team = await db.selectFrom('teams').select('id').where('id', '=', id).executeTakeFirst()
  const members = await db.selectFrom('team_members').select('role').where('team_id', '=', id).execute()
  if (!team) expect(members).toEqual([])
  return team ? members.map(({ role }) => role) : null
}

async function teamOf(owner: SignedIn, member: SignedIn): Promise<number> {
  const { id } = await owner.call(api.teams.create, { name: 'two' })
  const { code } = await owner.call(api.teams.invite, { id })
  await member.call(api.teams.join, { code })
  return id
}

const removal = (username: string) => root.raw(api.users.manage, { username, action: 'delete' })

test('a team that both of its members leave at one moment ends, and its wallet with it', async () => {
  for (let round = 0; round < 4; round += 1) {
    const [owner, member] = [await signIn(app, { quota: 100 }), await signIn(app)]
    const id = await teamOf(owner, member)
    await owner.call(api.teams.transfer, { id, quota: 100 })
    const leaving = round % 2 === 0 ? member.raw(api.account.remove, {}) : removal(member.username)
    const answers = await Promise.all([removal(owner.username), leaving])
    expect(answers.map(({ status }) => status)).not.toContain(503)
    const left = await roles(id)
    if (left) expect(left).toEqual(['owner'])
  }
})

test('a team that is passed on to somebody who goes at that moment has an owner', async () => {
  for (let round = 0; round < 4; round += 1) {
    const [owner, member] = [await signIn(app), await signIn(app)]
    const id = await teamOf(owner, member)
    const change = { id, user_id: member.userId, role: 'owner' as const }
    await Promise.all([owner.raw(api.teams.changeMember, change), removal(member.username)])
    expect(await roles(id)).toEqual(['owner'])
  }
})

test('teams made at one moment do not go beyond the limit', async () => {
  const anna = await signIn(app)
  const { db } = app.ctx.database
  for (let at = 2; at < teamsPerUserMax; at += 1) {
    const team = await db.insertInto('teams').values({ name: 'one of many', created_time: 1 }).returning('id').execute()
    const seat = { user_id: anna.userId, role: 'owner' as const, joined_time: 1 }
    await db
      .insertInto('team_members')
      .values(team.map(({ id }) => ({ ...seat, team_id: id })))
      .execute()
  }
  const made = await Promise.all(Array.from({ length: 8 }, () => anna.raw(api.teams.create, { name: 'late' })))
  expect(made.filter(({ success }) => success)).toHaveLength(2)
})

test('a team that was just made is taken back while its tokens are used', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { id } = await root.call(api.teams.create, { name: 'mistake' })
    const { list } = await root.call(api.history.list, { kind: 'team', pagesize: 1 })
    const { id: tokenId } = await root.call(api.tokens.create, { name: 'busy', team_id: id, unlimited_quota: true })
    const seat = await app.ctx.database.db
      .selectFrom('team_members')
      .select('id')
      .where('team_id', '=', id)
      .executeTakeFirstOrThrow()
    const party = { userId: root.userId, tokenId, teamId: id, memberId: seat.id }
    let isEnough = false
    const lanes = Array.from({ length: 8 }, async (_, lane) => {
      for (let at = 0; !isEnough; at += 1) {
        const request = { id: `taken-${round}-${lane}-${at}`, ...party, least: 1, wanted: 1, at: 1, limits: null }
        await app.ctx.ledger.reserve(request)
        await Bun.sleep(1)
      }
    })
    await Bun.sleep(20)
    const answer = await root.raw(api.history.undo, { id: list[0]?.id ?? 0 })
    isEnough = true
    await Promise.all(lanes)
    expect(answer).toMatchObject({ success: true })
  }
})
