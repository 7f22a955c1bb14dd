import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import { daySeconds } from '#server/lib/time/day.ts'

/** A UTC day by its number since 1970. */
export type LogDay = number

const nameOf = (day: LogDay): string =>
  `logs_${new Date(day * daySeconds * 1000).toISOString().slice(0, 10).replaceAll('-', '')}`

function dayOf(table: string): LogDay | null {
  const [, year, month, date] = /^logs_(\d{4})(\d\d)(\d\d)$/.exec(table) ?? []
  return year === undefined ? null : Date.parse(`${year}-${month}-${date}T00:00:00Z`) / 1000 / daySeconds
}

/** The days that have a partition of their own, oldest first. */
export async function logDays(db: Db): Promise<LogDay[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass('logs') order by c.relname`.execute(db)
  return rows.flatMap(({ name }) => dayOf(name) ?? [])
}

/** Gives days a partition each. Rows of such a day that came before it are moved there. */
export async function addDays(tx: Tx, first: LogDay, count: number): Promise<void> {
  const known = new Set(await logDays(tx))
  for (let day = first; day < first + count; day++) {
    if (known.has(day)) continue
    const table = sql.table(nameOf(day))
    const from = sql.lit(day * daySeconds)
    const to = sql.lit((day + 1) * daySeconds)
    await sql`create table ${table} (like logs including defaults)`.execute(tx)
    await sql`
      with moved as (delete from logs_later where created_at >= ${from} and created_at < ${to} returning *)
      insert into ${table} select * from moved`.execute(tx)
    await sql`alter table logs attach partition ${table} for values from (${from}) to (${to})`.execute(tx)
  }
}

/** Nobody writes to the day until the transaction ends; reading goes on. */
export const lockDay = (tx: Tx, day: LogDay): Promise<unknown> =>
  sql`lock table ${sql.table(nameOf(day))} in share row exclusive mode`.execute(tx)

export const dropDay = (tx: Tx, day: LogDay): Promise<unknown> => sql`drop table ${sql.table(nameOf(day))}`.execute(tx)

/** A change of partitions waits for running queries of the log, and later queries wait for it: only for a short time. */
export const waitBriefly = (tx: Tx): Promise<unknown> => sql`set local lock_timeout = '500ms'`.execute(tx)

/** The lock was not granted in time; the job runs again later. */
export const gaveUpWaiting = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01')
