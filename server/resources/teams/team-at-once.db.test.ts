import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { book } from '#server/billing/ledger/book.ts'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import { AppError } from '#shared/errors.ts'

let app: TestApp
let owner: SignedIn
let member: SignedIn
let id: number

beforeAll(async () => {
  app = await borrowApp()
  owner = await signIn(app, { quota: 1000 })
  member = await signIn(app)
  id = (await owner.call(api.teams.create, { name: 'Blue' })).id
  await owner.call(api.teams.transfer, { id, quota: 100 })
})
afterEach(async () => {
  expect(await reconcile(app.ctx.database.db)).toEqual([])
})
afterAll(() => app.stop())

async function enter(team = id): Promise<void> {
  const { code } = await owner.call(api.teams.invite, { id: team })
  await member.call(api.teams.join, { code })
}

const leave = () => owner.raw(api.teams.removeMember, { id, user_id: member.userId })

const makeTokens = (team: number) =>
  Array.from({ length: 8 }, (_, at) => member.raw(api.tokens.create, { name: `late ${at}`, team_id: team }))

test('who uses several invitations at one moment gets in once, and the others stay open', async () => {
  const invites = await Promise.all(Array.from({ length: 6 }, () => owner.call(api.teams.invite, { id })))
  const answers = await Promise.all(invites.map(({ code }) => member.raw(api.teams.join, { code })))
  const refused = answers.filter(({ success }) => !success)
  expect(refused.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => 'team.already_member'))
  expect((await owner.call(api.teams.invites, { id })).total).toBe(5)
  await leave()
})

test('who is taken out while he makes tokens keeps none of them', async () => {
  for (let round = 0; round < 3; round += 1) {
    await enter()
    const made = makeTokens(id)
    await leave()
    await Promise.all(made)
    expect((await owner.call(api.tokens.list, { team_id: id })).total).toBe(0)
  }
})

test('no token outlives its team', async () => {
  const { id: team } = await owner.call(api.teams.create, { name: 'Short' })
  await enter(team)
  const made = makeTokens(team)
  await owner.call(api.teams.remove, { id: team })
  await Promise.all(made)
  const { list } = await member.call(api.tokens.list, { pagesize: 100 })
  expect(list.filter(({ team_id }) => team_id === team)).toEqual([])
})

test('a wallet that has gone meanwhile takes nothing, and the reason is named', async () => {
  const late = { userId: owner.userId, teamId: id + 1000, kind: 'transfer', amount: 5, ref: 'late', at: 0 } as const
  const put = app.ctx.database.db.transaction().execute((tx) => book(tx, late))
  await expect(put).rejects.toEqual(new AppError('team.not_found'))
})

/** A token of the member, and whose purses it spends from. */
async function makeParty() {
  const { id: tokenId } = await member.call(api.tokens.create, { name: 'busy', team_id: id, unlimited_quota: true })
  const { id: memberId } = await app.ctx.database.db
    .selectFrom('team_members')
    .select('id')
    .where('user_id', '=', member.userId)
    .executeTakeFirstOrThrow()
  return { userId: member.userId, tokenId, teamId: id, memberId }
}

/** Requests that come and go for a member, until it is enough. */
async function spending(round: number) {
  const party = await makeParty()
  const end = { charge: 0, channelId: 0, counts: false, log: null, at: 1, admittedAt: 1, corrections: [] }
  const { ledger } = app.ctx
  let isEnough = false
  const lanes = Array.from({ length: 8 }, async (_, lane) => {
    for (let at = 0; !isEnough; at += 1) {
      const request = { id: `busy-${round}-${lane}-${at}`, ...party, least: 1, wanted: 1, at: 1, limits: null }
      if ((await ledger.reserve(request)).ok) await ledger.settle({ id: request.id, ...party, ...end })
      else await Bun.sleep(1)
    }
  })
  return async () => {
    isEnough = true
    await Promise.all(lanes)
  }
}

test.each([false, true])(
  'what runs while its member leaves and joins again counts on him (lasting: %p)',
  async (lasting) => {
    await enter()
    const party = await makeParty()
    const { ledger } = app.ctx
    const at = Math.floor(app.ctx.clock() / 1000)
    const running = { id: `away-${lasting}`, ...party }
    await ledger.reserve({ ...running, least: 1, wanted: 9, at, limits: null, lasting })
    await leave()
    await enter()
    const used = async () => (await member.call(api.teams.get, { id })).members[0]?.budget_used ?? 0
    const before = await used()
    const end = { charge: 7, channelId: 0, counts: true, log: null, at, admittedAt: at, corrections: [] }
    expect(await ledger.settle({ ...running, ...end })).toMatchObject({ paid: 7 })
    expect((await used()) - before).toBe(7)
    await leave()
  },
)

test('a member is taken out, and deletes himself, while his requests come and go', async () => {
  for (let round = 0; round < 5; round += 1) {
    await enter()
    const stop = await spending(round)
    await Bun.sleep(20)
    const answer = await leave()
    await stop()
    expect(answer).toMatchObject({ success: true })
  }
  await enter()
  const stop = await spending(5)
  await Bun.sleep(20)
  const answer = await member.raw(api.account.remove, {})
  await stop()
  expect(answer).toMatchObject({ success: true })
})

test('a team has a hundred open invitations at most, also of those made at one moment', async () => {
  const { id: team } = await owner.call(api.teams.create, { name: 'Green' })
  for (let made = 0; made < 97; made += 1) await owner.call(api.teams.invite, { id: team })
  const answers = await Promise.all(Array.from({ length: 8 }, () => owner.raw(api.teams.invite, { id: team })))
  expect(answers.filter(({ success }) => success)).toHaveLength(3)
  const refused = answers.find(({ success }) => !success)
  expect(refused).toMatchObject({ code: 'team.too_many_invites' })
  expect(refused?.message).toContain('100 open invitations')
  const { list } = await owner.call(api.teams.invites, { id: team })
  await owner.call(api.teams.endInvite, { id: team, code_id: list[0]?.id ?? 0 })
  expect((await owner.raw(api.teams.invite, { id: team })).success).toBe(true)
})
