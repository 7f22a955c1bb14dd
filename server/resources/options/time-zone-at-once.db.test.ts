import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
let root: SignedIn
let owner: SignedIn
beforeAll(async () => {
  app = await borrowApp()
  root = await signIn(app, { role: 'root' })
  owner = await signIn(app)
})
afterAll(() => app.stop())

const zones = ['Asia/Tokyo', 'Europe/Berlin', 'America/New_York', 'UTC']

/** Somebody in a team with a token whose budget has a period, and who has spent nothing yet. */
async function newMember(id: number): Promise<SignedIn> {
  const member = await signIn(app)
  const { code } = await owner.call(api.teams.invite, { id })
  await member.call(api.teams.join, { code })
  const token = await member.call(api.tokens.create, { name: 'daily', team_id: id })
  await member.call(api.tokens.update, { id: token.id, name: 'daily', budget_period: 'day' })
  return member
}

test('the time zone changes while people leave their teams', async () => {
  const { id } = await owner.call(api.teams.create, { name: 'Blue' })
  await owner.call(api.teams.update, { id, budget_period: 'day' })
  for (let round = 0; round < 2; round += 1) {
    const members = await Promise.all([newMember(id), newMember(id), newMember(id), newMember(id)])
    const answers = await Promise.all([
      ...members.map(({ userId }) => owner.raw(api.teams.removeMember, { id, user_id: userId })),
      ...zones.map((value) => root.raw(api.options.update, { key: 'TimeZone', value })),
    ])
    expect(answers.map(({ success }) => success)).not.toContain(false)
  }
})
