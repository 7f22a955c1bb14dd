import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'

export const name = '0029-budget-shares'

/** Whoever is invited by a member with a budget spends from that member's budget, and what he spent stays on it when he leaves. */
export async function up(tx: Tx): Promise<void> {
  await sql`create table team_budget_shares (
    team_id bigint not null, user_id bigint not null, member_id bigint not null, primary key (team_id, user_id))`.execute(
    tx,
  )
  await sql`create index team_budget_shares_member_id on team_budget_shares (member_id)`.execute(tx)
}
