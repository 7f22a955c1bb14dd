import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Db, isSqlite, type Tx } from '#server/db/database.ts'
import { numberCell, rowsOf, textCell } from '#server/db/json-rows.ts'
import type { UserLogTotalsTable } from '#server/db/tables.ts'
import { lockUsageMark, loggedUsage } from '#server/db/usage/fold.ts'
import type { SlotCell } from '#server/db/usage/slot-cells.ts'
import { addUsage } from '#server/db/usage/store.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import { logType } from '#shared/statuses.ts'
import { lockMark, readMark, writeMark } from './fold-mark.ts'

/**
 * Totals of log rows by UTC day. Exactly the rows with an id up to the fold mark are in them. Whoever moves the mark or deletes
 * rows holds the mark's row locked until the end of the transaction, so totals and rows always change together.
 */
export const totalsTables = [
  { name: 'log_totals', keys: ['day', 'type', 'model_name', 'channel'], needsToken: false },
  {
    name: 'user_log_totals',
    keys: ['user_id', 'day', 'type', 'model_name', 'token_name', 'channel'],
    needsToken: false,
  },
  {
    name: 'token_log_totals',
    keys: ['token_name', 'day', 'type', 'model_name', 'channel'],
    needsToken: true,
  },
] as const

type TotalsTable = (typeof totalsTables)[number]
type Condition = RawBuilder<SqlBool>

/** Numbers up to this one were given out to rows that are gone. SQLite only. */
export const logFloorKey = 'log-floor'

/** The highest id whose row is in the totals; locked until the transaction ends. */
export const lockFoldMark = (tx: Tx): Promise<number> => lockMark(tx, 'log-fold')
export const readFoldMark = (db: Db | Tx): Promise<number> => readMark(db, 'log-fold')
export const writeFoldMark = (tx: Tx, mark: number): Promise<void> => writeMark(tx, 'log-fold', mark)

/** The highest number a log row has, or on PostgreSQL ever had: asked of its counter, not of every partition. */
export async function highestLogId(db: Db): Promise<number> {
  if (isSqlite(db)) {
    const last = await db.selectFrom('logs').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
    return last?.id ?? 0
  }
  const { rows } = await sql<{ id: number | null }>`
    select pg_sequence_last_value(pg_get_serial_sequence('logs', 'id')::regclass) as id`.execute(db)
  return rows[0]?.id ?? 0
}

const keyList = ({ keys }: TotalsTable) => sql.join(keys.map((key) => sql.ref(key)))

const keyValues = ({ keys }: TotalsTable) =>
  sql.join(keys.map((key) => (key === 'day' ? sql`created_at / ${sql.lit(daySeconds)}` : sql.ref(key))))

type Sum = UserLogTotalsTable

/** The sums by the finest key there is; those of the other tables are sums of these. */
async function sumsOf(tx: Tx, rows: Condition): Promise<Sum[]> {
  const day = sql`created_at / ${sql.lit(daySeconds)}`
  const { rows: sums } = await sql<Sum>`
    select user_id, ${day} as day, type, model_name, token_name, channel, count(*) as count, sum(quota) as quota,
      sum(prompt_tokens + completion_tokens) as tokens
    from logs where ${rows} group by user_id, ${day}, type, model_name, token_name, channel`.execute(tx)
  return sums
}

function combined(table: TotalsTable, sums: readonly Sum[]): Sum[] {
  const byKey = new Map<string, Sum>()
  for (const sum of sums) {
    if (table.needsToken && sum.token_name === '') continue
    const key = table.keys.map((column) => sum[column]).join('\u0000')
    const known = byKey.get(key)
    if (known) {
      known.count += sum.count
      known.quota += sum.quota
      known.tokens += sum.tokens
    } else byKey.set(key, { ...sum })
  }
  return [...byKey.values()]
}

const texts: ReadonlySet<string> = new Set(['model_name', 'token_name'])

/** Adds the sums of the rows to the totals, or takes them away. */
export async function addToTotals(tx: Tx, rows: Condition, sign: 1 | -1): Promise<void> {
  await addSumsToTotals(tx, await sumsOf(tx, rows), sign)
}

/** The same for requests that are counted already. */
export async function addCellsToTotals(tx: Tx, cells: readonly SlotCell[]): Promise<void> {
  const sums = cells.map(({ slot, cell: { user_id, model_name, token_name, channel, sums } }) => ({
    user_id,
    day: Math.floor(slot / daySeconds),
    type: logType.consumption,
    model_name,
    token_name,
    channel,
    count: sums.requests,
    quota: sums.quota,
    tokens: sums.prompt_tokens + sums.completion_tokens,
  }))
  await addSumsToTotals(tx, sums, 1)
}

async function addSumsToTotals(tx: Tx, sums: readonly Sum[], sign: 1 | -1): Promise<void> {
  for (const table of totalsTables) {
    const due = combined(table, sums)
    if (due.length === 0) continue
    const name = sql.table(table.name)
    const columns = [...table.keys, 'count', 'quota', 'tokens'] as const
    const cells = due.map((sum) => [
      ...table.keys.map((key) => sum[key]),
      sign * sum.count,
      sign * sum.quota,
      sign * sum.tokens,
    ])
    const values = columns.map((column, at) => (texts.has(column) ? textCell(at) : numberCell(at)))
    await sql`
      insert into ${name} (${sql.join(columns.map((column) => sql.ref(column)))})
      select ${sql.join(values)} from ${rowsOf(tx, cells)} where true
      on conflict (${keyList(table)}) do update set count = ${name}.count + excluded.count,
        quota = ${name}.quota + excluded.quota, tokens = ${name}.tokens + excluded.tokens`.execute(tx)
  }
}

/** Deletes log rows and takes them out of the totals. Returns how many. */
export async function removeLogs(tx: Tx, rows: Condition): Promise<number> {
  const mark = await lockFoldMark(tx)
  const usageMark = await lockUsageMark(tx)
  await addUsage(tx, await loggedUsage(tx, sql<SqlBool>`${rows} and id > ${usageMark}`))
  const highest = await highestLogId(tx)
  const folded = sql<SqlBool>`${rows} and id <= ${mark}`
  await addToTotals(tx, folded, -1)
  for (const table of totalsTables) {
    await sql`
      delete from ${sql.table(table.name)} where count = 0
      and (${keyList(table)}) in (select ${keyValues(table)} from logs where ${folded})`.execute(tx)
  }
  const { numDeletedRows } = await tx.deleteFrom('logs').where(rows).executeTakeFirst()
  if (isSqlite(tx) && highest > (await highestLogId(tx))) await keepNumbersAbove(tx, highest)
  return Number(numDeletedRows)
}

/** SQLite would give the numbers of the youngest rows out again. The trigger knows the number itself: to look it up cost every row. */
async function keepNumbersAbove(tx: Tx, id: number): Promise<void> {
  const value = String(id)
  await tx
    .insertInto('meta')
    .values({ key: logFloorKey, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
  await sql`drop trigger if exists logs_number`.execute(tx)
  await sql`create trigger logs_number after insert on logs when new.id <= ${sql.lit(id)}
    begin update logs set id = ${sql.lit(id + 1)} where id = new.id; end`.execute(tx)
}

/** Deletes some of a user's rows, the oldest first. Returns how many; 0 when none is left. */
export async function removeSomeLogsOfUser(tx: Tx, userId: number, most: number): Promise<number> {
  const last = await sql<{ created_at: number; id: number }>`
    select created_at, id from (
      select created_at, id from logs where user_id = ${userId} order by created_at, id limit ${most}) as oldest
    order by created_at desc, id desc limit 1`.execute(tx)
  const end = last.rows[0]
  if (!end) return 0
  return removeLogs(tx, sql<SqlBool>`user_id = ${userId} and (created_at, id) <= (${end.created_at}, ${end.id})`)
}

export const removeLogsOfUser = (tx: Tx, userId: number): Promise<number> =>
  removeLogs(tx, sql<SqlBool>`user_id = ${userId}`)

/** Deletes some of the oldest rows before a time, but what administrators did since `keptFrom`. Returns how many; 0 when none is left. */
export async function removeOldest(tx: Tx, before: number, keptFrom: number, most: number): Promise<number> {
  const goes = sql<SqlBool>`(type <> ${logType.admin} or created_at < ${keptFrom})`
  const oldest = tx.selectFrom('logs').select(['created_at', 'id']).where('created_at', '<', before).where(goes)
  const last = await sql<{ created_at: number; id: number }>`
    select created_at, id from (${oldest.orderBy('created_at').orderBy('id').limit(most)}) as oldest
    order by created_at desc, id desc limit 1`.execute(tx)
  const end = last.rows[0]
  if (!end) return 0
  return removeLogs(tx, sql<SqlBool>`(created_at, id) <= (${end.created_at}, ${end.id}) and ${goes}`)
}
