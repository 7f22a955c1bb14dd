import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import { budgetWarnings } from '#server/db/budget-warnings.ts'
import type { Actor } from '#server/http/call.ts'
import type { BudgetWarning } from '#shared/api/usage.ts'
import { scopeFor } from './scope.ts'

/** Warnings of budgets in the period that runs, of a wallet and of the tokens that spend from it. */
export async function warnings(ctx: Context, actor: Actor, input: { scope: string }): Promise<BudgetWarning[]> {
  const scope = await scopeFor(ctx, actor, input.scope)
  if (scope.kind === 'all') return []
  const { db } = ctx.database
  const isTeam = scope.kind === 'team'
  const now = epochSeconds(ctx)
  const holders = await db
    .selectFrom(isTeam ? 'teams' : 'users')
    .select(['id', 'budget_from as from'])
    .where('id', '=', scope.id)
    .where('budget', '>', 0)
    .where('budget_to', '>', now)
    .execute()
  const tokens = await db
    .selectFrom('tokens')
    .select(['id', 'budget_from as from'])
    .where(isTeam ? 'team_id' : 'user_id', '=', scope.id)
    .where('budget', '>', 0)
    .where('budget_to', '>', now)
    .limit(500)
    .execute()
  const kind = isTeam ? 'team' : 'user'
  const own = await budgetWarnings(db, kind, holders)
  const ofTokens = await budgetWarnings(db, 'token', tokens)
  return [
    ...own.map((each) => ({ kind, ...each }) as const),
    ...ofTokens.map((each) => ({ kind: 'token' as const, ...each })),
  ]
}
