import { claimBudgetWarning } from '#server/db/budget-warnings.ts'
import { quarterSeconds } from '#server/db/usage/shapes.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import type { TestApp, TestClient } from '#server/testing/test-app.ts'
import { channelsApi } from '#shared/api/channels.ts'
import { tokensApi } from '#shared/api/tokens.ts'

const troubledDays = 8
const answering = 12
const idle = 3
const teams = 19
const tokens = 2

/** The channels, teams and tokens of seeded requests, budgets somebody was warned of, and channels in trouble every quarter hour. */
export async function createUsage(app: TestApp, admin: TestClient, user: TestClient): Promise<void> {
  const { db } = app.ctx.database
  if (await db.selectFrom('channels').select('id').limit(1).executeTakeFirst()) return
  for (let id = 1; id <= answering + idle; id++)
    await admin.call(channelsApi.create, { name: `channel-${id}`, type: 1, key: `sk-${id}`, models: 'model-1' })
  const now = Math.floor(Date.now() / 1000)
  const teamIds = Array.from({ length: teams }, (_, at) => at + 1)
  await db
    .insertInto('teams')
    .values(teamIds.map((id) => ({ id, name: `team-${id}`, created_time: now })))
    .execute()
  const period = now - daySeconds
  for (let id = 1; id <= tokens; id++) {
    await user.call(tokensApi.create, { name: `token-${id - 1}`, unlimited_quota: true, budget: 1_000_000 })
    await claimBudgetWarning(db, { kind: 'token', id, percent: 80 }, { period, warnedAt: now })
  }
  await db
    .updateTable('tokens')
    .set({ budget_used: 850_000, budget_from: period, budget_to: now + 30 * daySeconds })
    .execute()
  const last = Math.floor(now / quarterSeconds) * quarterSeconds
  for (let at = 0; at < (troubledDays * daySeconds) / quarterSeconds; at++) {
    const slot = last - at * quarterSeconds
    const troubles = Array.from({ length: answering }, (_, channel) => channel + 1).flatMap((channel_id) =>
      (['limit', 'rest'] as const).map((kind) => ({ slot, channel_id, kind })),
    )
    await db.insertInto('channel_troubles').values(troubles).execute()
  }
}
