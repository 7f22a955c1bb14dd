import { type RawBuilder, sql } from 'kysely'
import { type AccountKind, accountKinds } from '#server/billing/ledger/account.ts'
import { accountTables } from '#server/billing/ledger/account-tables.ts'
import { type Db, isSqlite, type Tx } from '#server/db/database.ts'
import type { PeriodOf } from '#server/lib/time/calendar.ts'
import type { BudgetPeriod } from '#shared/budget.ts'
import { budgetPeriods } from '#shared/budget.ts'

/** Which entries, and which holds, count on the budget of a row. Written so that the indexes serve them. */
export const owned: Readonly<Record<AccountKind, { entries: RawBuilder<unknown>; holds: RawBuilder<unknown> }>> = {
  user: {
    entries: sql`entry.user_id = users.id and entry.admitted_at > 0`,
    holds: sql`hold.user_id = users.id`,
  },
  token: {
    entries: sql`entry.user_id = tokens.user_id and entry.admitted_at > 0 and entry.token_id = tokens.id`,
    holds: sql`hold.token_id = tokens.id`,
  },
  team: {
    entries: sql`entry.team_id = teams.id and entry.team_id > 0`,
    holds: sql`hold.team_id = teams.id and hold.team_id > 0`,
  },
  member: {
    entries: sql`entry.team_id = team_members.team_id and entry.team_id > 0 and (
      entry.user_id = team_members.user_id and not exists (select 1 from team_budget_shares share
        where share.team_id = team_members.team_id and share.user_id = team_members.user_id)
      or entry.user_id in (select share.user_id from team_budget_shares share where share.member_id = team_members.id))`,
    holds: sql`hold.team_id = team_members.team_id and hold.team_id > 0 and hold.member_id = team_members.id`,
  },
}

interface Bounds {
  readonly from: RawBuilder<unknown>
  readonly to: RawBuilder<unknown>
}

/** The index is ordered by the time of writing, which is after the admission; this is added for clocks of nodes that differ. */
export const clockSlack = 86_400

const usedIn = (kind: AccountKind, { from, to }: Bounds): RawBuilder<number> => sql`(
  select cast(coalesce(-sum(entry.amount + entry.team_amount), 0) as bigint) from ledger_entries entry
  where ${owned[kind].entries} and entry.created_at >= ${from} - ${sql.lit(clockSlack)}
    and entry.admitted_at >= ${from} and entry.admitted_at < ${to})`

export const heldIn = (kind: AccountKind, { from, to }: Bounds): RawBuilder<number> => sql`(
  select cast(coalesce(sum(hold.budget_amount), 0) as bigint) from holds hold
  where ${owned[kind].holds} and hold.created_at >= ${from} and hold.created_at < ${to})`

/** The same of entries behind a number, which are few. */
export const usedSince = (kind: AccountKind, { from, to }: Bounds, last: number): RawBuilder<number> => sql`(
  select cast(coalesce(-sum(entry.amount + entry.team_amount), 0) as bigint) from ledger_entries entry
  where entry.id > ${last} and ${owned[kind].entries} and entry.admitted_at >= ${from} and entry.admitted_at < ${to})`

const stored: Bounds = { from: sql`budget_from`, to: sql`budget_to` }

/** A budget as stored, and as its entries and open holds add up, at one moment. */
export async function proveBudget(db: Db, kind: AccountKind, id: number) {
  const table = sql.table(accountTables[kind].table)
  const { rows } = await sql<{ balance: number; proven: number }>`
    select budget_used + budget_held as balance, ${usedIn(kind, stored)} + ${heldIn(kind, stored)} as proven
    from ${table} where id = ${id}`.execute(db)
  return rows[0]
}

async function recount(
  tx: Tx,
  kind: AccountKind,
  { from, to }: { from: number; to: number },
  those: RawBuilder<unknown>,
): Promise<void> {
  const table = sql.table(accountTables[kind].table)
  // Locked first, so that the sums include every earlier commit.
  await sql`update ${table} set budget_from = ${from}, budget_to = ${to} where ${those}`.execute(tx)
  await sql`update ${table} set budget_used = ${usedIn(kind, stored)}, budget_held = ${heldIn(kind, stored)}
    where budget_from = ${from} and budget_to = ${to} and ${those}`.execute(tx)
}

/** Counts anew what was used and is held of a budget in the period it has. */
export const recountBudget = (tx: Tx, kind: AccountKind, id: number): Promise<unknown> =>
  sql`update ${sql.table(accountTables[kind].table)}
    set budget_used = ${usedIn(kind, stored)}, budget_held = ${heldIn(kind, stored)} where id = ${id}`.execute(tx)

/** Gives a budget another period; what was used in that period so far counts. */
export async function bookBudgetPeriod(
  tx: Tx,
  kind: AccountKind,
  id: number,
  { period, periodOf, at }: { period: BudgetPeriod; periodOf: PeriodOf; at: number },
): Promise<void> {
  const table = sql.table(accountTables[kind].table)
  await sql`update ${table} set budget_period = ${period} where id = ${id}`.execute(tx)
  await recount(tx, kind, periodOf(period, at), sql`id = ${id}`)
}

const owners = (column: string, table: string) =>
  sql` or id in (select ${sql.ref(column)} from ${sql.table(table)} where budget_to > 0)`

/** The user is locked before a budget of a token or a membership, as in every transaction that ends one of those. */
const before: Readonly<Record<AccountKind, RawBuilder<unknown>>> = {
  user: sql`${owners('user_id', 'tokens')}${owners('user_id', 'team_members')}`,
  token: sql``,
  team: owners('team_id', 'team_members'),
  member: sql``,
}

/** In order of kind and id, as everywhere else, so that there is no deadlock. */
async function lockBudgets(tx: Db | Tx): Promise<void> {
  if (isSqlite(tx)) return
  for (const kind of accountKinds) {
    await sql`select count(*) from (
      select id from ${sql.table(accountTables[kind].table)} where budget_to > 0${before[kind]}
      order by id for update) locked`.execute(tx)
  }
}

/** Counts all budgets anew whose period runs or is yet to come. */
async function recountBudgets(tx: Tx, periodOf: PeriodOf, at: number): Promise<void> {
  await lockBudgets(tx)
  for (const kind of accountKinds) {
    for (const period of budgetPeriods) {
      const bounds = periodOf(period, at)
      // Budgets whose period is over need no change: nothing was admitted on them since.
      await recount(tx, kind, bounds, sql`budget_period = ${period} and budget_to > ${bounds.from}`)
    }
  }
}

const notBegun = (at: number): RawBuilder<unknown> => sql`budget_from > ${at}`

/** Whether a budget counts in a period that has not begun: a clock was ahead. */
export async function hasBudgetsAhead(db: Db, at: number): Promise<boolean> {
  const ahead = accountKinds.map(
    (kind) => sql`exists (select 1 from ${sql.table(accountTables[kind].table)} where ${notBegun(at)})`,
  )
  const { rows } = await sql<{ ahead: number | boolean }>`select ${sql.join(ahead, sql` or `)} as ahead`.execute(db)
  return Boolean(rows[0]?.ahead)
}

/**
 * Brings budgets back into the period of this moment when a clock that was ahead has put them into later ones, where they would
 * stay until those begin. Admissions with a later time get the present one, and entries that were settled earlier their settlement
 * time; otherwise they would count in the later period once it begins.
 */
export async function returnBudgets(tx: Tx, periodOf: PeriodOf, at: number): Promise<void> {
  await lockBudgets(tx)
  const ahead = notBegun(at)
  await sql`update ledger_entries set admitted_at = case when created_at < ${at} then created_at else ${at} end
    where admitted_at > ${at} and (
      user_id in (select id from users where ${ahead} union select user_id from tokens where ${ahead}
        union select user_id from team_members where ${ahead})
      or team_id > 0 and team_id in (select id from teams where ${ahead}))`.execute(tx)
  await sql`update holds set created_at = ${at} where created_at > ${at}`.execute(tx)
  await recountBudgets(tx, periodOf, at)
}
