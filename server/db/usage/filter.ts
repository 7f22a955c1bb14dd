import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dimension, Keys } from './cells.ts'

/** Values of a column that count, or that do not. */
export interface Choice {
  readonly column: Dimension
  readonly values: readonly (string | number)[]
  readonly leaveOut: boolean
}

/** All of them must hold. */
export type UsageFilter = readonly Choice[]

const list = (values: readonly (string | number)[]) => sql.join(values.map((value) => sql`${value}`))

function condition({ column, values, leaveOut }: Choice): RawBuilder<SqlBool> {
  if (values.length === 0) return leaveOut ? sql<SqlBool>`1 = 1` : sql<SqlBool>`1 = 0`
  const [only] = values
  if (values.length === 1 && !leaveOut) return sql<SqlBool>`kept.${sql.ref(column)} = ${only}`
  return sql<SqlBool>`kept.${sql.ref(column)} ${sql.raw(leaveOut ? 'not in' : 'in')} (${list(values)})`
}

/** On a table of roll-ups called `kept`. */
export const onRollUps = (filter: UsageFilter): RawBuilder<SqlBool> =>
  filter.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(filter.map(condition), sql` and `)}`

export const matches = (filter: UsageFilter, keys: Keys): boolean =>
  filter.every(({ column, values, leaveOut }) => values.includes(keys[column]) !== leaveOut)
