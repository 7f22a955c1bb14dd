import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
beforeEach(async () => {
  await scene.option('PreConsumedQuota', 1)
  // 100 each: 60 + 4 × 10.
  await scene.channel(chatAnswer('hello', { prompt_tokens: 60, completion_tokens: 10 }))
})
afterEach(async () => {
  await scene.clear()
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
})
afterAll(() => scene.stop())

interface Spender extends SignedIn {
  /** At most so many tokens are to be answered: they are held. */
  ask(most?: number): Promise<number>
}

/** Somebody in a team, with a token that spends its wallet. */
async function spender(client: SignedIn, teamId: number): Promise<Spender> {
  const { key } = await client.call(api.tokens.create, { name: 'team', team_id: teamId, unlimited_quota: true })
  const init = { headers: { authorization: `Bearer sk-${key}` } }
  return Object.assign(client, { ask: async (most = 10) => (await scene.chat({ max_tokens: most }, init)).status })
}

const spent = async (who: Spender, most: number) => {
  for (let count = 0; count < most; count += 1) if ((await who.ask()) === 402) return count
  return most
}

async function joined(by: SignedIn, teamId: number, role: 'manager' | 'member' = 'member'): Promise<Spender> {
  const { code } = await by.call(api.teams.invite, { id: teamId, role })
  const client = await signIn(scene.app)
  await client.call(api.teams.join, { code })
  return spender(client, teamId)
}

/** A team with money, its owner, and a manager with a budget of five requests. */
async function teamWith(budget = 500) {
  const owner = await signIn(scene.app, { quota: 100_000 })
  const { id } = await owner.call(api.teams.create, { name: 'team' })
  await owner.call(api.teams.transfer, { id, quota: 50_000 })
  const manager = await joined(owner, id, 'manager')
  const change = { id, user_id: manager.userId, budget, budget_period: 'month' as const }
  await owner.call(api.teams.changeMember, change)
  return { owner, id, manager }
}

const memberShown = async (owner: SignedIn, id: number, { userId }: SignedIn) =>
  (await owner.call(api.teams.get, { id })).members.find(({ user_id }) => user_id === userId)

describe('whoever a manager with a budget invites', () => {
  test('shares that budget, both ways', async () => {
    const { owner, id, manager } = await teamWith()
    expect(await manager.ask()).toBe(200)
    const second = await joined(manager, id)
    const third = await joined(manager, id)
    expect(await spent(second, 2)).toBe(2)
    expect(await spent(third, 9)).toBe(2)
    expect([await manager.ask(), await second.ask(), await third.ask()]).toEqual([402, 402, 402])
    for (const who of [manager, second, third])
      expect(await memberShown(owner, id, who)).toMatchObject({ budget: 500, budget_used: 500 })
  })

  test('shares it with those he invites in turn, and when many ask at once', async () => {
    const { owner, id, manager } = await teamWith()
    const second = await joined(manager, id)
    await owner.call(api.teams.changeMember, { id, user_id: second.userId, role: 'manager' })
    const third = await joined(second, id)
    const answers = await Promise.all([manager, second, third].flatMap((who) => [30, 30, 30].map(who.ask)))
    expect(answers).toContain(200)
    expect(answers).toContain(402)
    for (const who of [manager, second, third]) await spent(who, 9)
    const { budget_used = 0 } = (await memberShown(owner, id, third)) ?? {}
    expect(budget_used).toBe(500)
  })

  test('is not let out of it by anybody with a budget, and is by the owner', async () => {
    const { owner, id, manager } = await teamWith()
    const second = await joined(manager, id)
    const change = (budget: number) => ({ id, user_id: second.userId, budget })
    for (const budget of [0, 1, 1_000_000])
      expect((await manager.raw(api.teams.changeMember, change(budget))).code).toBe('team.shared_budget')
    const period = { id, user_id: second.userId, budget_period: 'day' as const }
    expect((await owner.raw(api.teams.changeMember, period)).code).toBe('team.shared_budget')
    expect(await second.ask()).toBe(200)
    await owner.call(api.teams.changeMember, change(300))
    expect(await memberShown(owner, id, second)).toMatchObject({ budget: 300, budget_used: 100 })
    expect(await memberShown(owner, id, manager)).toMatchObject({ budget: 500, budget_used: 0 })
    expect(await spent(second, 9)).toBe(2)
    expect(await spent(manager, 9)).toBe(5)
  })

  test('gives nothing back by leaving, and nothing more by coming again', async () => {
    const { owner, id, manager } = await teamWith()
    const second = await joined(manager, id)
    expect(await spent(second, 3)).toBe(3)
    await manager.call(api.teams.removeMember, { id, user_id: second.userId })
    expect(await memberShown(owner, id, manager)).toMatchObject({ budget_used: 300 })
    const { code } = await manager.call(api.teams.invite, { id })
    await second.call(api.teams.join, { code })
    const again = await spender(second, id)
    expect(await spent(again, 9)).toBe(2)
    expect(await manager.ask()).toBe(402)
  })

  test('keeps it when the manager leaves or closes his account', async () => {
    for (const leave of [
      (manager: SignedIn, id: number) => manager.call(api.teams.removeMember, { id, user_id: manager.userId }),
      (manager: SignedIn) => manager.call(api.account.remove, {}),
    ]) {
      const { owner, id, manager } = await teamWith()
      const second = await joined(manager, id)
      const third = await joined(manager, id)
      expect(await spent(manager, 2)).toBe(2)
      await leave(manager, id)
      expect(await spent(second, 1)).toBe(1)
      expect(await spent(third, 9)).toBe(2)
      expect([await second.ask(), await third.ask()]).toEqual([402, 402])
      expect(await memberShown(owner, id, second)).toMatchObject({ role: 'member', budget: 500, budget_used: 500 })
      expect((await owner.call(api.teams.get, { id })).members).toHaveLength(3)
    }
  })
})

describe('an invitation of a manager with a budget', () => {
  test('lets nobody in without a budget once the manager has left, himself included', async () => {
    for (const leave of [
      (_: SignedIn, manager: SignedIn, id: number) =>
        manager.call(api.teams.removeMember, { id, user_id: manager.userId }),
      (owner: SignedIn, manager: SignedIn, id: number) =>
        owner.call(api.teams.removeMember, { id, user_id: manager.userId }),
    ]) {
      const { owner, id, manager } = await teamWith()
      expect(await spent(manager, 9)).toBe(5)
      const codes = [await manager.call(api.teams.invite, { id }), await manager.call(api.teams.invite, { id })]
      await leave(owner, manager, id)
      const second = await signIn(scene.app)
      const answers = [
        await manager.raw(api.teams.join, { code: codes[0]?.code ?? '' }),
        await second.raw(api.teams.join, { code: codes[1]?.code ?? '' }),
      ]
      expect(answers.map(({ code }) => code)).toEqual(['team.invite_invalid', 'team.invite_invalid'])
      expect((await owner.call(api.teams.get, { id })).members).toHaveLength(1)
    }
  })

  test('ends with the account of the manager', async () => {
    const { id, manager } = await teamWith()
    const { code } = await manager.call(api.teams.invite, { id })
    await manager.call(api.account.remove, {})
    const second = await signIn(scene.app)
    expect((await second.raw(api.teams.join, { code })).code).toBe('team.invite_invalid')
  })

  test('stays good while the manager is in the team, and those of others when somebody leaves', async () => {
    const { owner, id, manager } = await teamWith()
    const [{ code: his }, { code: hers }] = [
      await manager.call(api.teams.invite, { id }),
      await owner.call(api.teams.invite, { id }),
    ]
    const second = await signIn(scene.app)
    expect((await second.raw(api.teams.join, { code: his })).success).toBeTrue()
    await manager.call(api.teams.removeMember, { id, user_id: manager.userId })
    const third = await signIn(scene.app)
    expect((await third.raw(api.teams.join, { code: hers })).success).toBeTrue()
  })
})

test('whoever is invited by somebody without a budget has none', async () => {
  const { owner, id } = await teamWith()
  const free = await joined(owner, id, 'manager')
  const second = await joined(free, id)
  expect(await spent(second, 8)).toBe(8)
  expect(await memberShown(owner, id, second)).toMatchObject({ budget: 0, budget_used: 800 })
})

describe('a transfer into a team', () => {
  test('is refused to whoever has a budget, into an own team too, and moves nothing', async () => {
    const user = await signIn(scene.app, { quota: 1000 })
    const { id } = await user.call(api.teams.create, { name: 'own' })
    await scene.root.call(api.users.update, { id: user.userId, budget: 300 })
    for (const quota of [1, 300, 1000])
      expect((await user.raw(api.teams.transfer, { id, quota })).code).toBe('team.transfer_budget')
    expect((await user.call(api.account.self, {})).quota).toBe(1000)
    expect((await user.call(api.teams.get, { id })).quota).toBe(0)
  })

  test('is as before without one', async () => {
    const user = await signIn(scene.app, { quota: 1000 })
    const { id } = await user.call(api.teams.create, { name: 'own' })
    expect(await user.call(api.teams.transfer, { id, quota: 400 })).toBe(400)
    expect((await user.call(api.account.self, {})).quota).toBe(600)
  })
})
