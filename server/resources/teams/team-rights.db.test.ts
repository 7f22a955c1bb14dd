import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
let owner: SignedIn
let manager: SignedIn
let member: SignedIn
let id: number

beforeAll(async () => {
  app = await borrowApp()
  owner = await signIn(app)
  manager = await signIn(app)
  member = await signIn(app)
  id = (await owner.call(api.teams.create, { name: 'Blue' })).id
  await enter(manager, 'manager')
  await enter(member, 'member')
})
afterAll(() => app.stop())

async function enter(who: SignedIn, role: 'manager' | 'member'): Promise<void> {
  const { code } = await owner.call(api.teams.invite, { id, role })
  await who.call(api.teams.join, { code })
}

const codeOf = async (answer: Promise<{ code?: string | undefined }>) => (await answer).code

describe('an invitation of somebody who manages the team no more', () => {
  const managing = async (): Promise<SignedIn> => {
    const one = await signIn(app)
    await enter(one, 'manager')
    return one
  }
  const openOnes = async () => (await owner.call(api.teams.invites, { id, pagesize: 100 })).list.map((each) => each.id)

  test('lets nobody in: not himself, after he was taken out, nor his friends', async () => {
    const removed = await managing()
    const invitation = await removed.call(api.teams.invite, { id, role: 'member' })
    await owner.call(api.teams.removeMember, { id, user_id: removed.userId })
    expect(await codeOf(removed.raw(api.teams.join, { code: invitation.code }))).toBe('team.invite_invalid')
    const demoted = await managing()
    const another = await demoted.call(api.teams.invite, { id, role: 'member' })
    await owner.call(api.teams.changeMember, { id, user_id: demoted.userId, role: 'member' })
    expect(await codeOf((await signIn(app)).raw(api.teams.join, { code: another.code }))).toBe('team.invite_invalid')
    const open = await openOnes()
    expect([invitation.id, another.id].filter((each) => open.includes(each))).toEqual([])
  })

  test('makes no manager once its author has passed the team on, and still invites members', async () => {
    const next = await managing()
    const asManager = await owner.call(api.teams.invite, { id, role: 'manager' })
    const asMember = await owner.call(api.teams.invite, { id, role: 'member' })
    await owner.call(api.teams.changeMember, { id, user_id: next.userId, role: 'owner' })
    const friend = await signIn(app)
    expect(await codeOf(friend.raw(api.teams.join, { code: asManager.code }))).toBe('team.invite_invalid')
    expect(await friend.call(api.teams.join, { code: asMember.code })).toMatchObject({ role: 'member' })
    await next.call(api.teams.changeMember, { id, user_id: owner.userId, role: 'owner' })
  })
})

describe('members', () => {
  test('decide alone whose wallet their tokens spend: no manager sends the costs of a team to a member, or to another team', async () => {
    const other = (await member.call(api.teams.create, { name: 'Red' })).id
    const { id: token } = await member.call(api.tokens.create, { name: 'work', team_id: id })
    for (const team_id of [0, other]) {
      expect(await codeOf(manager.raw(api.tokens.update, { id: token, team_id }))).toBe('auth.forbidden')
      expect(await codeOf(owner.raw(api.tokens.update, { id: token, team_id, name: 'moved' }))).toBe('auth.forbidden')
    }
    expect(await manager.call(api.tokens.update, { id: token, team_id: id, rpm: 4 })).toMatchObject({
      team_id: id,
      rpm: 4,
    })
    expect(await member.call(api.tokens.update, { id: token, team_id: other })).toMatchObject({ team_id: other })
  })
})
