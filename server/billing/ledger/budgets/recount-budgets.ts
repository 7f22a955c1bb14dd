import { sql } from 'kysely'
import { type AccountKind, accountKinds } from '#server/billing/ledger/account.ts'
import { accountTables } from '#server/billing/ledger/account-tables.ts'
import { type Context, epochSeconds } from '#server/context.ts'
import { type Db, isSqlite, type Tx } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { randomHex } from '#server/lib/random.ts'
import { calendarOf, type Period } from '#server/lib/time/calendar.ts'
import type { BudgetPeriod } from '#shared/budget.ts'
import { heldIn, usedSince } from './budget-sums.ts'
import { type PeriodUse, readPeriodUse, writerOf } from './period-use.ts'

const workOf = (kind: AccountKind) => `recount ${kind}`
const allWork = 'recount all'

/** Gives a budget another period. What was used in it is counted behind the transaction, by `finishRecount`. */
export async function changeBudgetPeriod(tx: Tx, kind: AccountKind, id: number, period: BudgetPeriod): Promise<void> {
  await sql`update ${sql.table(accountTables[kind].table)} set budget_period = ${period} where id = ${id}`.execute(tx)
  await requestRecount(tx, kind, id)
}

/** Gives a budget the period an entry of the history holds, if it holds one. */
export async function putBackPeriod(tx: Tx, kind: AccountKind, id: number, period: unknown): Promise<void> {
  if (period !== undefined) await changeBudgetPeriod(tx, kind, id, period as BudgetPeriod)
}

export async function requestRecount(tx: Tx, kind: AccountKind, id: number): Promise<void> {
  const stamp = randomHex(8)
  await tx
    .insertInto('later_work')
    .values({ kind: workOf(kind), id, stamp })
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet({ stamp }))
    .execute()
}

/** Every budget is to be counted anew, as after a change of the time zone. */
export async function requestRecountOfAll(tx: Tx, ctx: Pick<Context, 'clock'>): Promise<void> {
  await tx
    .insertInto('later_work')
    .values({ kind: allWork, id: Math.floor(ctx.clock()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The last of those who wait to count the same budget on this node. */
const turns = new Map<string, Promise<void>>()

/** Counts a budget for the period it has been given, unless somebody has done so. One at a time, however often it is changed. */
export async function finishRecount(ctx: Context, kind: AccountKind, id: number): Promise<void> {
  const key = `${ctx.nodeId} ${kind} ${id}`
  const turn = (turns.get(key) ?? Promise.resolve())
    .catch(() => {})
    .then(async () => {
      if ((await stampOf(ctx.database.db, kind, id)) !== undefined) await recount(ctx, kind, id)
    })
  turns.set(key, turn)
  try {
    await turn
  } finally {
    if (turns.get(key) === turn) turns.delete(key)
  }
}

const triesMax = 3

/**
 * The sum is made without a lock, and what came since is added under one. Until then the budget counts in the period it had. One
 * that is changed time and again is left to the job.
 */
async function recount(ctx: Context, kind: AccountKind, id: number): Promise<void> {
  const db = ctx.database.reader()
  for (let tries = 0; tries < triesMax; tries += 1) {
    const stamp = await stampOf(ctx.database.db, kind, id)
    const period = await periodOfBudget(ctx.database.db, kind, id)
    const writer = await writerOf(ctx.database.db, kind, id)
    if (!period || !writer) return void (await transact(ctx, (tx) => forgetWork(tx, kind, id, stamp)))
    const bounds = calendarOf(ctx.options().TimeZone)(period, epochSeconds(ctx))
    const use = await readPeriodUse(db, kind, { id, writer, period: bounds })
    const stored = await transact(ctx, async (tx) => {
      await lockRow(tx, writer.table, writer.id)
      if (accountTables[kind].table !== writer.table) await lockRow(tx, accountTables[kind].table, id)
      if ((await periodOfBudget(tx, kind, id)) !== period || !(await forgetWork(tx, kind, id, stamp))) return false
      await storeUse(tx, kind, { id, bounds, use })
      return true
    })
    if (stored) return
  }
}

async function lockRow(tx: Tx, table: string, id: number): Promise<void> {
  if (!isSqlite(tx)) await sql`select 1 from ${sql.table(table)} where id = ${id} for update`.execute(tx)
}

async function periodOfBudget(db: Db, kind: AccountKind, id: number): Promise<BudgetPeriod | undefined> {
  const table = sql.table(accountTables[kind].table)
  const { rows } = await sql<{
    period: BudgetPeriod
  }>`select budget_period as period from ${table} where id = ${id}`.execute(db)
  return rows[0]?.period
}

async function storeUse(
  tx: Tx,
  kind: AccountKind,
  { id, bounds, use }: { readonly id: number; readonly bounds: Period; readonly use: PeriodUse },
): Promise<void> {
  const period = { from: sql`${bounds.from}`, to: sql`${bounds.to}` }
  await sql`update ${sql.table(accountTables[kind].table)} set budget_from = ${bounds.from}, budget_to = ${bounds.to},
    budget_used = ${use.used} + ${usedSince(kind, period, use.upTo)}, budget_held = ${heldIn(kind, period)}
    where id = ${id}`.execute(tx)
}

async function stampOf(db: Db, kind: AccountKind, id: number): Promise<string | undefined> {
  const work = db.selectFrom('later_work').select('stamp').where('kind', '=', workOf(kind)).where('id', '=', id)
  return (await work.executeTakeFirst())?.stamp
}

/** False where there is new reason for it. */
async function forgetWork(tx: Tx, kind: AccountKind, id: number, stamp: string | undefined): Promise<boolean> {
  if ((await stampOf(tx, kind, id)) === undefined) return stamp === undefined
  const work = tx.deleteFrom('later_work').where('kind', '=', workOf(kind)).where('id', '=', id)
  const { numDeletedRows } = await work.where('stamp', '=', stamp ?? '').executeTakeFirst()
  return numDeletedRows > 0n
}

const rowsPerLook = 500

/** Counts whatever was left to be counted: by a transaction a moment ago, or by a node that is gone. */
export async function recountBudgetsLeft(ctx: Context): Promise<void> {
  const { db } = ctx.database
  for (const kind of accountKinds) {
    const left = await db.selectFrom('later_work').select('id').where('kind', '=', workOf(kind)).execute()
    for (const { id } of left) await finishRecount(ctx, kind, id)
  }
  const all = await db.selectFrom('later_work').select('id').where('kind', '=', allWork).execute()
  if (all.length === 0) return
  // Who has a budget sees its period first.
  for (const having of [sql`budget > 0`, sql`budget = 0`]) {
    for (const kind of accountKinds) await recountKind(ctx, kind, having)
  }
  const ids = all.map(({ id }) => id)
  await db.deleteFrom('later_work').where('kind', '=', allWork).where('id', 'in', ids).execute()
}

interface Running {
  readonly id: number
  readonly budget_period: BudgetPeriod
  readonly budget_from: number
  readonly budget_to: number
}

/** Budgets whose period runs, or is yet to come, with other bounds than the calendar's. Of one that is over nothing counts any more. */
async function recountKind(ctx: Context, kind: AccountKind, having: ReturnType<typeof sql>): Promise<void> {
  for (let last = 0; ; ) {
    const at = epochSeconds(ctx)
    const { rows } = await sql<Running>`select id, budget_period, budget_from, budget_to
      from ${sql.table(accountTables[kind].table)} where id > ${last} and budget_to > ${at} and ${having}
      order by id limit ${rowsPerLook}`.execute(ctx.database.db)
    for (const row of rows) {
      const { from, to } = calendarOf(ctx.options().TimeZone)(row.budget_period, at)
      if (row.budget_from !== from || row.budget_to !== to) await recount(ctx, kind, row.id)
    }
    const end = rows.at(-1)
    if (!end || rows.length < rowsPerLook) return
    last = end.id
  }
}

/** How long a call waits for what it left to be counted; the rest is done behind it. */
const patienceMs = 2000

export async function recountSoon(ctx: Context): Promise<void> {
  const counted = recountBudgetsLeft(ctx).catch((cause) => {
    if (!ctx.database.closed.aborted) ctx.log.error('budgets are not counted yet', { cause })
  })
  await Promise.race([counted, Bun.sleep(patienceMs)])
}
