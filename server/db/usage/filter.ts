import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dimension, Keys } from './cells.ts'

/** A column made of others. */
interface MadeColumn {
  /** What a table must keep apart to know it. */
  readonly needs: readonly Dimension[]
  /** Of rows called `kept`. */
  readonly inSql: RawBuilder<string | number>
  of(keys: Keys): string | number
}

const made = {
  /** A user's id, or a team's id as a negative number. */
  payer: {
    needs: ['user_id', 'team_id'],
    inSql: sql`case when kept.team_id > 0 then -kept.team_id else kept.user_id end`,
    of: (keys) => (keys.team_id > 0 ? -keys.team_id : keys.user_id),
  },
  /** A token's id, a blank, and the name of a model. */
  token_and_model: {
    needs: ['token_id', 'model_name'],
    inSql: sql`cast(kept.token_id as text) || ' ' || kept.model_name`,
    of: (keys) => `${keys.token_id} ${keys.model_name}`,
  },
} as const satisfies Record<string, MadeColumn>

export type UsageColumn = Dimension | keyof typeof made

const isMade = (column: UsageColumn): column is keyof typeof made => Object.hasOwn(made, column)

/** What a table must keep apart to know a column. */
export const needsOf = (column: UsageColumn): readonly Dimension[] => (isMade(column) ? made[column].needs : [column])

/** Of rows called `kept`. */
export const columnSql = (column: UsageColumn): RawBuilder<string | number> =>
  isMade(column) ? made[column].inSql : sql`kept.${sql.ref(column)}`

export const columnValue = (keys: Keys, column: UsageColumn): string | number =>
  isMade(column) ? made[column].of(keys) : keys[column]

/** Values of a column that count, or that do not. */
export interface ColumnChoice {
  readonly column: UsageColumn
  readonly values: readonly (string | number)[]
  readonly leaveOut: boolean
}

/** All of them must hold. */
export type UsageFilter = readonly ColumnChoice[]

/** Requests that were let in: refused ones had no channel. They say how well models and channels answer. */
export const letIn: UsageFilter = [{ column: 'channel', values: [0], leaveOut: true }]

const list = (values: readonly (string | number)[]) => sql.join(values.map((value) => sql`${value}`))

const isTeams = ({ column, values }: Pick<ColumnChoice, 'column' | 'values'>): boolean =>
  column === 'team_id' && values.every((id) => Number(id) > 0)

/** Whether a filter names a few values of a column. */
export const isLed = (filter: UsageFilter, column: Dimension): boolean =>
  filter.some(
    (choice) => choice.column === column && choice.values.length > 0 && (column !== 'team_id' || isTeams(choice)),
  )

function condition({ column, values }: ColumnChoice): RawBuilder<SqlBool> {
  if (values.length === 0) return sql<SqlBool>`1 = 0`
  const [only] = values
  // The index of teams knows only those who have one.
  if (isTeams({ column, values })) return sql<SqlBool>`kept.team_id in (${list(values)}) and kept.team_id > 0`
  if (values.length === 1) return sql<SqlBool>`${columnSql(column)} = ${only}`
  return sql<SqlBool>`${columnSql(column)} in (${list(values)})`
}

/** Sums of what counts, added or taken away. */
interface Term {
  readonly filter: UsageFilter
  readonly sign: 1 | -1
}

/**
 * A filter by what is left out as filters by what is not: all, less what is left out. What is left out is little, and all stands in
 * the shortest tables.
 */
export function included(filter: UsageFilter): Term[] {
  const wanted = filter.filter(({ leaveOut }) => !leaveOut)
  const unwanted = filter.filter(({ leaveOut, values }) => leaveOut && values.length > 0)
  const terms: Term[] = [{ filter: wanted, sign: 1 }]
  for (const choice of unwanted) {
    const less = terms.map((term): Term => {
      const sign = term.sign === 1 ? -1 : 1
      return { filter: [...term.filter, { ...choice, leaveOut: false }], sign }
    })
    terms.push(...less)
  }
  return terms
}

/** On a table of roll-ups called `kept`; nothing is left out. */
export const onRollUps = (filter: UsageFilter): RawBuilder<SqlBool> =>
  filter.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(filter.map(condition), sql` and `)}`

export const matches = (filter: UsageFilter, keys: Keys): boolean =>
  filter.every(({ column, values, leaveOut }) => values.includes(columnValue(keys, column)) !== leaveOut)
