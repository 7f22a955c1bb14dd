import { afterAll, beforeAll, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
let root: SignedIn
beforeAll(async () => {
  app = await borrowApp()
  root = await signIn(app, { role: 'root' })
})
afterAll(() => app.stop())

const plenty = { userQuota: 1000, tokenQuota: 700 }

/** A team of two, and a token of the member that spends from its wallet. */
async function teamWithToken() {
  const [owner, member] = [await signIn(app, { quota: plenty.userQuota }), await signIn(app)]
  const { id: teamId } = await owner.call(api.teams.create, { name: 'two' })
  const { code } = await owner.call(api.teams.invite, { id: teamId })
  await member.call(api.teams.join, { code })
  await owner.call(api.teams.transfer, { id: teamId, quota: plenty.userQuota })
  const draft = { name: 'spends', team_id: teamId, remain_quota: plenty.tokenQuota }
  const { id: tokenId } = await member.call(api.tokens.create, draft)
  const seats = app.ctx.database.db.selectFrom('team_members').select('id').where('team_id', '=', teamId)
  const { id: memberId } = await seats.where('user_id', '=', member.userId).executeTakeFirstOrThrow()
  return { owner, member, party: { userId: member.userId, tokenId, teamId, memberId } }
}

/** What is taken of the member's budget and of his token; undefined when that is gone. */
async function taken({ userId, tokenId }: { userId: number; tokenId: number }) {
  const { db } = app.ctx.database
  const held = ['budget_used', 'budget_held'] as const
  const user = await db.selectFrom('users').select(held).where('id', '=', userId).executeTakeFirst()
  const token = await db
    .selectFrom('tokens')
    .select([...held, 'remain_quota'])
    .where('id', '=', tokenId)
    .executeTakeFirst()
  return { user, token }
}

for (const lasting of [false, true]) {
  for (const moved of [false, true]) {
    const what = `${lasting ? 'long work' : 'a request'} of a former member${moved ? ' whose token was moved' : ''}`
    test(`${what} holds nothing any more once its team has ended and it is settled`, async () => {
      const { owner, member, party } = await teamWithToken()
      const { userId, tokenId, teamId } = party
      const { ledger, database } = app.ctx
      const at = Math.floor(Date.now() / 1000)
      const id = `of-ended-team-${lasting}-${moved}`
      const hold = { id, ...party, least: 400, wanted: 400, at, limits: null, lasting }
      expect(await ledger.reserve(hold)).toMatchObject({ ok: true, held: 400 })
      if (moved) await member.call(api.tokens.update, { id: tokenId, team_id: 0 })
      await owner.call(api.teams.removeMember, { id: teamId, user_id: userId })
      await root.call(api.users.manage, { username: owner.username, action: 'delete' })
      expect(await reconcile(database.db)).toEqual([])

      const nothing = { channelId: 0, counts: false, log: null, at, admittedAt: at, corrections: [] }
      const result = await ledger.settle({ id, ...party, charge: 300, ...nothing })
      expect(result).toMatchObject({ paid: 0, shortfall: 300, lostHold: false })
      const none = { budget_used: 0, budget_held: 0 }
      const token = moved ? { ...none, remain_quota: plenty.tokenQuota } : undefined
      expect(await taken({ userId, tokenId })).toEqual({ user: none, token })
      expect(await reconcile(database.db)).toEqual([])
    })
  }
}
