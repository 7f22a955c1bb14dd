import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** The period a warning was about, and when somebody was warned: 0 when there was nobody to warn. */
const written = (period: number, warnedAt: number): string => `${period} ${warnedAt}`

const keyOf = (kind: string, id: number, percent: number): string => `budget:${kind}:${id}:${percent}`

interface Warning {
  /** Whose budget: of a token, a user, a team or its member. */
  readonly kind: string
  readonly id: number
  readonly percent: 80 | 100
}

/** True for exactly one of all who ask in a period. */
export async function claimBudgetWarning(
  db: Db,
  { kind, id, percent }: Warning,
  { period, warnedAt }: { readonly period: number; readonly warnedAt: number },
): Promise<boolean> {
  const value = written(period, warnedAt)
  // Before, the period stood alone.
  const isOther: RawBuilder<boolean> = sql`meta.value <> ${String(period)} and meta.value not like ${`${period} %`}`
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('meta')
    .values({ key: keyOf(kind, id, percent), value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }).where(isOther))
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Whoever comes next may warn: nobody could be reached. */
export const releaseBudgetWarning = (db: Db, { kind, id, percent }: Warning) =>
  db
    .deleteFrom('meta')
    .where('key', '=', keyOf(kind, id, percent))
    .execute()

/** When somebody was first warned of each of these budgets in the period it has now. */
export async function budgetWarnings(
  db: Db,
  kind: string,
  budgets: readonly { readonly id: number; readonly from: number }[],
): Promise<{ id: number; at: number }[]> {
  if (budgets.length === 0) return []
  const keys = budgets.flatMap(({ id }) => [keyOf(kind, id, 80), keyOf(kind, id, 100)])
  const rows = await db.selectFrom('meta').selectAll().where('key', 'in', keys).execute()
  const values = new Map(rows.map(({ key, value }) => [key, value]))
  return budgets.flatMap(({ id, from }) => {
    const times = [80, 100].flatMap((percent) => {
      const [period, warnedAt] = (values.get(keyOf(kind, id, percent)) ?? '').split(' ').map(Number)
      return period === from && warnedAt ? [warnedAt] : []
    })
    return times.length === 0 ? [] : [{ id, at: Math.min(...times) }]
  })
}
