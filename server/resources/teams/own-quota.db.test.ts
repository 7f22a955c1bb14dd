import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const teamOf = async (owner: SignedIn, name: string) => (await owner.call(api.teams.create, { name })).id

async function joined(owner: SignedIn, id: number, client: SignedIn, role: 'manager' | 'member' = 'member') {
  const { code } = await owner.call(api.teams.invite, { id, role })
  await client.call(api.teams.join, { code })
}

const walletOf = async (id: number) => {
  const { db } = app.ctx.database
  return (await db.selectFrom('teams').select('quota').where('id', '=', id).executeTakeFirstOrThrow()).quota
}

describe('an administrator', () => {
  test('gives no quota to an own team, as owner, manager or member', async () => {
    const admin = await signIn(app, { role: 'admin' })
    const user = await signIn(app)
    const own = await teamOf(admin, 'own')
    const teams = [own]
    for (const role of ['manager', 'member'] as const) {
      const id = await teamOf(user, role)
      await joined(user, id, admin, role)
      teams.push(id)
    }
    for (const id of teams) {
      for (const change of [{ quota: 500 }, { quota: 500, quota_before: 0 }])
        expect(await admin.raw(api.teams.update, { id, ...change })).toMatchObject({
          success: false,
          code: 'team.own_quota',
        })
      expect(await walletOf(id)).toBe(0)
    }
    expect((await admin.call(api.teams.update, { id: own, name: 'still mine' })).name).toBe('still mine')
  })

  test("gives none to another administrator's team, as to his account", async () => {
    const [admin, other] = [await signIn(app, { role: 'admin' }), await signIn(app, { role: 'admin' })]
    const id = await teamOf(other, 'of another')
    expect((await admin.raw(api.teams.update, { id, quota: 500 })).code).toBe('team.own_quota')
    expect(await walletOf(id)).toBe(0)
  })

  test('gives it to teams of users', async () => {
    const admin = await signIn(app, { role: 'admin' })
    const id = await teamOf(await signIn(app), 'of users')
    expect((await admin.call(api.teams.update, { id, quota: 500 })).quota).toBe(500)
    expect((await admin.call(api.teams.update, { id, quota: 400, quota_before: 500 })).quota).toBe(400)
  })
})

test('a super administrator gives quota to any team, his own among them', async () => {
  const root = await signIn(app, { role: 'root' })
  const id = await teamOf(root, "root's")
  expect((await root.call(api.teams.update, { id, quota: 500 })).quota).toBe(500)
})

test('a user gives none', async () => {
  const user = await signIn(app)
  const id = await teamOf(user, 'poor')
  expect((await user.raw(api.teams.update, { id, quota: 500 })).code).toBe('auth.forbidden')
})
