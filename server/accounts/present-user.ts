import type { Selectable } from 'kysely'
import { showBudget } from '#server/billing/ledger/budgets/show-budget.ts'
import { type Context, epochSeconds } from '#server/context.ts'
import type { UsersTable } from '#server/db/tables.ts'
import type { User } from '#shared/api/users.ts'

export type UserRow = Selectable<UsersTable>

/** A user as the console sees it: no hash of anything. The GitHub account goes by its name where that is known. */
export const presentUser = (ctx: Pick<Context, 'options' | 'clock'>, row: UserRow): User => ({
  id: row.id,
  username: row.username,
  password: '',
  display_name: row.display_name,
  role: row.role,
  status: row.status,
  email: row.email,
  github_id: row.github_login || row.github_id,
  wechat_id: row.wechat_id,
  oidc_id: row.oidc_id.slice(row.oidc_id.lastIndexOf('#') + 1),
  quota: row.quota,
  used_quota: row.used_quota,
  request_count: row.request_count,
  group: row.group,
  aff_code: row.aff_code,
  inviter_id: row.inviter_id,
  ...showBudget(row, { zone: ctx.options().TimeZone, at: epochSeconds(ctx) }),
})
