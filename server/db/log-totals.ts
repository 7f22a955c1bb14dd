import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Tx } from './database.ts'

/**
 * Totals of log rows by UTC day. Exactly the rows with an id up to the fold mark are in them. Whoever moves the mark or deletes
 * rows holds the mark's row locked until the end of the transaction, so totals and rows always change together.
 */
const totalsTables = [
  { name: 'log_totals', keys: ['day', 'type', 'model_name', 'channel'], only: sql<SqlBool>`1 = 1` },
  {
    name: 'user_log_totals',
    keys: ['user_id', 'day', 'type', 'model_name', 'token_name', 'channel'],
    only: sql<SqlBool>`1 = 1`,
  },
  {
    name: 'token_log_totals',
    keys: ['token_name', 'day', 'type', 'model_name', 'channel'],
    only: sql<SqlBool>`token_name <> ''`,
  },
] as const

type TotalsTable = (typeof totalsTables)[number]
type Condition = RawBuilder<SqlBool>

export const daySeconds = 86_400
export const markKey = 'log-fold'

/** The highest id whose row is in the totals; locked until the transaction ends. */
export async function lockFoldMark(tx: Tx): Promise<number> {
  const { value } = await tx
    .insertInto('meta')
    .values({ key: markKey, value: '0' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: sql`meta.value` }))
    .returning('value')
    .executeTakeFirstOrThrow()
  return Number(value)
}

export async function writeFoldMark(tx: Tx, mark: number): Promise<void> {
  await tx
    .updateTable('meta')
    .set({ value: String(mark) })
    .where('key', '=', markKey)
    .execute()
}

const keyList = ({ keys }: TotalsTable) => sql.join(keys.map((key) => sql.ref(key)))

const keyValues = ({ keys }: TotalsTable) =>
  sql.join(keys.map((key) => (key === 'day' ? sql`created_at / ${sql.lit(daySeconds)}` : sql.ref(key))))

/** Adds the sums of the rows to the totals, or takes them away. */
export async function addToTotals(tx: Tx, rows: Condition, sign: 1 | -1): Promise<void> {
  const times = sql.lit(sign)
  for (const table of totalsTables) {
    const name = sql.table(table.name)
    await sql`
      insert into ${name} (${keyList(table)}, count, quota, tokens)
      select ${keyValues(table)}, ${times} * count(*), ${times} * sum(quota), ${times} * sum(prompt_tokens + completion_tokens)
      from logs where ${rows} and ${table.only} group by ${keyValues(table)}
      on conflict (${keyList(table)}) do update set count = ${name}.count + excluded.count,
        quota = ${name}.quota + excluded.quota, tokens = ${name}.tokens + excluded.tokens`.execute(tx)
  }
}

/** Deletes log rows and takes them out of the totals. Answers how many. */
export async function removeLogs(tx: Tx, rows: Condition): Promise<number> {
  const mark = await lockFoldMark(tx)
  const folded = sql<SqlBool>`${rows} and id <= ${mark}`
  await addToTotals(tx, folded, -1)
  for (const table of totalsTables) {
    await sql`
      delete from ${sql.table(table.name)} where count = 0
      and (${keyList(table)}) in (select ${keyValues(table)} from logs where ${folded})`.execute(tx)
  }
  const { numDeletedRows } = await tx.deleteFrom('logs').where(rows).executeTakeFirst()
  return Number(numDeletedRows)
}

export const removeLogsOfUser = (tx: Tx, userId: number): Promise<number> =>
  removeLogs(tx, sql<SqlBool>`user_id = ${userId}`)
