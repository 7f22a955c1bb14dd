import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { affordable, cost, heldChannel, parallel, proven, storm } from '#server/testing/storm.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
let nodes: TestApp[]
let teamId: number
beforeAll(async () => {
  scene = await startRelayScene()
  nodes = onPostgres ? [scene.app, await startTestApp({ databaseUrl: scene.app.ctx.config.DATABASE_URL })] : [scene.app]
  const team = await scene.root.call(api.teams.create, { name: 'stormy' })
  teamId = team.id
  const { code } = await scene.root.call(api.teams.invite, { id: teamId, role: 'member' })
  await scene.user.call(api.teams.join, { code })
})
afterEach(() => scene.clear())
afterAll(async () => {
  for (const node of nodes.slice(1)) await node.stop()
  await scene.stop()
})

/** Enough for seven, and a little more. */
const seven = affordable * cost + cost - 1
const plenty = 1_000_000
/** What was spent before counts, whether there was a budget or not. */
const budget = (spent = 0) => ({ budget: spent + seven, budget_period: 'month' as const })
const none = { budget: 0 }

const tokenWith = (more: object) =>
  scene.user.call(api.tokens.create, { name: 'storm', unlimited_quota: true, remain_quota: 0, ...more })

const purses = {
  'the budget of a token': {
    open: async () => (await tokenWith(budget())).key,
    close: async () => {},
  },
  'the budget of a user': {
    open: async () => {
      const { budget_used } = await scene.user.call(api.account.self, {})
      await scene.root.call(api.users.update, { id: scene.userId, ...budget(budget_used) })
      return (await tokenWith({})).key
    },
    close: () => scene.root.call(api.users.update, { id: scene.userId, ...none }),
  },
  'the wallet of a team': {
    open: async () => {
      await scene.root.call(api.teams.update, { id: teamId, quota: seven })
      return (await tokenWith({ team_id: teamId })).key
    },
    close: () => scene.root.call(api.teams.update, { id: teamId, quota: plenty }),
  },
  'the budget of a member': {
    open: async () => {
      const { members } = await scene.user.call(api.teams.get, { id: teamId })
      const spent = members.find(({ user_id }) => user_id === scene.userId)?.budget_used
      await scene.root.call(api.teams.changeMember, { id: teamId, user_id: scene.userId, ...budget(spent) })
      return (await tokenWith({ team_id: teamId })).key
    },
    close: () => scene.root.call(api.teams.changeMember, { id: teamId, user_id: scene.userId, ...none }),
  },
} as const

/** What all of them have paid, wherever it came from. */
async function paid(): Promise<number> {
  const { db } = scene.app.ctx.database
  const entries = await db.selectFrom('ledger_entries').selectAll().where('kind', '=', 'settle').execute()
  return entries.reduce((sum, { amount, team_amount }) => sum - amount - team_amount, 0)
}

describe('200 requests at the same time, on all nodes there are', () => {
  test.each(Object.entries(purses))('%s is enough for seven: seven are let in, each paid once', async (_, purse) => {
    const key = await purse.open()
    const { channel, open } = await heldChannel(scene)
    const before = await paid()
    expect(
      await storm(
        nodes.map(({ url }) => url),
        `sk-${key}`,
        open,
      ),
    ).toEqual({ admitted: affordable, refused: parallel - affordable })
    expect(channel.seen).toHaveLength(affordable)
    expect((await paid()) - before).toBe(affordable * cost)
    expect((await scene.books()).holds).toBe(0)
    await proven(scene.app)
    await purse.close()
  })
})
