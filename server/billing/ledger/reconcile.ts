import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { proveBudget } from '#server/billing/ledger/budgets/budget-sums.ts'
import { type Db, isSqlite } from '#server/db/database.ts'
import { createSums, type SumsById } from '#server/lib/sums-by-id.ts'
import { type AccountKind, accountKinds, byKind } from './account.ts'

export interface Drift {
  readonly kind: Exclude<AccountKind, 'member'> | 'closed account' | 'closed team' | `${AccountKind} budget`
  readonly id: number
  readonly balance: number
  /** What entries less open holds say it should be. */
  readonly proven: number
}

/** How much is read at a time, so that other work gets its turn in between. */
const entriesAtOnce = 10_000
const ownersAtOnce = 1000

/** What is spent or left, by the id of an account. */
type Sums = Record<AccountKind, SumsById>

interface Proof {
  readonly balances: Sums
  readonly budgets: Sums
}

/**
 * Proves every wallet, token and budget: what is left is the sum of the entries less the open holds, what a budget has used and
 * holds is the sum of those of its period. An empty list is the proof.
 */
export function reconcile(db: Db): Promise<Drift[]> {
  // SQLite's one writer appends entries in order. Elsewhere they appear in any order, so all is read as of one moment.
  if (isSqlite(db)) return prove(db)
  return db.transaction().setIsolationLevel('repeatable read').execute(prove)
}

async function prove(db: Db): Promise<Drift[]> {
  const { rows } = await sql<{ mark: number; user: number; team: number }>`
    select (select coalesce(max(id), 0) from ledger_entries) as mark, (select coalesce(max(id), 0) from users) as "user",
      (select coalesce(max(id), 0) from teams) as team`.execute(db)
  const { mark, user, team } = rows[0] ?? { mark: 0, user: 0, team: 0 }
  const proof: Proof = { balances: byKind(createSums), budgets: byKind(createSums) }
  for (let from = 0; from < mark; from += entriesAtOnce) {
    await addEntries(db, sql`entry.id > ${from} and entry.id <= ${Math.min(mark, from + entriesAtOnce)}`, proof)
  }
  const drifts: Drift[] = []
  for (const [owner, last] of [
    ['user', user],
    ['team', team],
  ] as const) {
    const end = Math.max(last, proof.balances[owner].highest())
    for (let from = owner === 'user' ? 0 : 1; from <= end; from += ownersAtOnce) {
      drifts.push(...(await proveWindow(db, owner, { from, to: from + ownersAtOnce, mark }, proof)))
    }
  }
  return drifts
}

/** What an entry adds to the budget of a row, when it lies in the period that row counts. */
const within = (alias: string, at: RawBuilder<unknown>, amount: RawBuilder<unknown>): RawBuilder<number> =>
  sql`case when ${at} >= ${sql.ref(`${alias}.budget_from`)} and ${at} < ${sql.ref(`${alias}.budget_to`)} then ${amount} else 0 end`

const entrySpent = (alias: string) => within(alias, sql`entry.admitted_at`, sql`-(entry.amount + entry.team_amount)`)
const holdSpent = (alias: string) => within(alias, sql`hold.created_at`, sql`hold.budget_amount`)

/** The membership whose budget counts an entry: that of who spent, unless he shares another's. */
const memberOfEntry = sql`members.team_id = entry.team_id
  and case when shares.member_id is null then members.user_id = entry.user_id else members.id = shares.member_id end`

async function addEntries(db: Db, those: RawBuilder<unknown>, { balances, budgets }: Proof): Promise<void> {
  const whole = (sum: RawBuilder<unknown>) => sql<number>`cast(sum(${sum}) as bigint)`
  const { rows } = await sql<Record<string, number>>`
    select entry.user_id as "user", entry.token_id as token, entry.team_id as team, coalesce(members.id, 0) as member,
      ${whole(sql`entry.amount`)} as user_amount, ${whole(sql`entry.token_amount`)} as token_amount,
      ${whole(sql`entry.team_amount`)} as team_amount, 0 as member_amount,
      ${whole(entrySpent('users'))} as user_spent, ${whole(entrySpent('tokens'))} as token_spent,
      ${whole(entrySpent('teams'))} as team_spent, ${whole(entrySpent('members'))} as member_spent
    from ledger_entries entry
    left join users on users.id = entry.user_id left join tokens on tokens.id = entry.token_id
    left join teams on teams.id = entry.team_id
    left join team_budget_shares shares on shares.team_id = entry.team_id and shares.user_id = entry.user_id
    left join team_members members on ${memberOfEntry}
    where ${those} group by entry.user_id, entry.token_id, entry.team_id, members.id`.execute(db)
  for (const row of rows) {
    for (const kind of accountKinds) {
      balances[kind].add(row[kind] ?? 0, row[`${kind}_amount`] ?? 0)
      budgets[kind].add(row[kind] ?? 0, row[`${kind}_spent`] ?? 0)
    }
  }
}

interface Window {
  readonly from: number
  readonly to: number
  /** Entries up to this one are in the sums. */
  readonly mark: number
}

interface WindowRow {
  readonly of: AccountKind
  readonly is: 'balance' | 'moved'
  readonly id: number
  readonly amount: number
  readonly budget: number
}

/** Users with their tokens: what is stored, later entries and holds. */
const usersWindow = ({ from, to, mark }: Window): RawBuilder<WindowRow> => {
  const own = (column: string) => sql<SqlBool>`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to}`
  return sql<WindowRow>`
    select 'user' as "of", 'balance' as "is", id, quota as amount, budget_used + budget_held as budget
      from users where ${own('id')}
    union all select 'token', 'balance', id, remain_quota, budget_used + budget_held from tokens where ${own('user_id')}
    union all select 'user', 'moved', entry.user_id, entry.amount, ${entrySpent('users')}
      from ledger_entries entry left join users on users.id = entry.user_id
      where entry.id > ${mark} and ${own('entry.user_id')}
    union all select 'token', 'moved', entry.token_id, entry.token_amount, ${entrySpent('tokens')}
      from ledger_entries entry left join tokens on tokens.id = entry.token_id
      where entry.id > ${mark} and ${own('entry.user_id')}
    union all select 'user', 'moved', hold.user_id, -hold.amount, ${holdSpent('users')}
      from holds hold left join users on users.id = hold.user_id where ${own('hold.user_id')}
    union all select 'token', 'moved', hold.token_id, -hold.token_amount, ${holdSpent('tokens')}
      from holds hold left join tokens on tokens.id = hold.token_id where ${own('hold.user_id')}`
}

/** Teams with their members. */
const teamsWindow = ({ from, to, mark }: Window): RawBuilder<WindowRow> => {
  const own = (column: string) => sql<SqlBool>`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to}`
  const later = sql<SqlBool>`entry.id > ${mark} and ${own('entry.team_id')}`
  return sql<WindowRow>`
    select 'team' as "of", 'balance' as "is", id, quota as amount, budget_used + budget_held as budget
      from teams where ${own('id')}
    union all select 'member', 'balance', id, 0, budget_used + budget_held from team_members where ${own('team_id')}
    union all select 'team', 'moved', entry.team_id, entry.team_amount, ${entrySpent('teams')}
      from ledger_entries entry left join teams on teams.id = entry.team_id where ${later}
    union all select 'member', 'moved', members.id, 0, ${entrySpent('members')}
      from ledger_entries entry
      left join team_budget_shares shares on shares.team_id = entry.team_id and shares.user_id = entry.user_id
      inner join team_members members on ${memberOfEntry} where ${later}
    union all select 'team', 'moved', hold.team_id, -hold.team_amount, ${holdSpent('teams')}
      from holds hold left join teams on teams.id = hold.team_id where ${own('hold.team_id')}
    union all select 'member', 'moved', members.id, 0, ${holdSpent('members')}
      from holds hold inner join team_members members on members.id = hold.member_id where ${own('hold.team_id')}`
}

/**
 * Owners from one id up to another. One statement, so that balances, holds and later entries are seen at one moment; what moved
 * is added to the sums.
 */
async function proveWindow(db: Db, owner: 'user' | 'team', window: Window, proof: Proof): Promise<Drift[]> {
  const { rows } = await (owner === 'user' ? usersWindow(window) : teamsWindow(window)).execute(db)
  const balances = rows.filter((row) => row.is === 'balance')
  for (const { of, is, id, amount, budget } of rows) {
    if (is === 'balance') continue
    proof.balances[of].add(id, amount)
    proof.budgets[of].add(id, budget)
  }
  const drifts: Drift[] = []
  for (const { of, id, amount, budget } of balances) {
    const proven = proof.balances[of].get(id)
    if (of !== 'member' && amount !== proven) drifts.push({ kind: of, id, balance: amount, proven })
    if (budget !== proof.budgets[of].get(id)) drifts.push(...(await driftOfBudget(db, of, id)))
  }
  const known = new Set(balances.filter(({ of }) => of === owner).map(({ id }) => id))
  for (let id = window.from; id < window.to; id += 1) {
    const left = proof.balances[owner].get(id)
    if (left === 0 || known.has(id)) continue
    drifts.push({ kind: owner === 'user' ? 'closed account' : 'closed team', id, balance: 0, proven: left })
  }
  return drifts
}

/** A period may have begun while the entries were added up: what does not fit is looked at by itself. */
async function driftOfBudget(db: Db, kind: AccountKind, id: number): Promise<Drift[]> {
  const found = await proveBudget(db, kind, id)
  return found && found.balance !== found.proven ? [{ kind: `${kind} budget`, id, ...found }] : []
}
