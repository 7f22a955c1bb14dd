import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { slowMs } from '#shared/api/logs.ts'
import { logType } from '#shared/statuses.ts'

/** Which log rows; 0 and '' leave a condition out. */
export interface LogSelection {
  readonly type: number
  readonly userId: number
  readonly tokenName: string
  readonly modelName: string
  readonly channel: number
  readonly teamId: number
  readonly group: string
  readonly outcome: string
  readonly slow: boolean
  /** First second, and the second after the last. */
  readonly from: number
  readonly to: number
}

type Condition = RawBuilder<SqlBool>
type Column = 'user_id' | 'token_name' | 'type' | 'model_name' | 'channel'

const asked = (selection: LogSelection): [Column, string | number][] => {
  const columns: [Column, string | number][] = [
    ['user_id', selection.userId],
    ['token_name', selection.tokenName],
    ['type', selection.type],
    ['model_name', selection.modelName],
    ['channel', selection.channel],
  ]
  return columns.filter(([, value]) => value !== 0 && value !== '')
}

const all: Condition = sql<SqlBool>`1 = 1`

const joined = (conditions: Condition[]): Condition =>
  conditions.length === 0 ? all : sql<SqlBool>`${sql.join(conditions, sql` and `)}`

/** What the totals do not keep apart. The rare ones have indexes of their own, which these conditions lead to. */
function apart({ teamId, group, outcome, slow }: LogSelection): Condition[] {
  return [
    ...(teamId === 0 ? [] : [sql<SqlBool>`team_id = ${teamId} and team_id > 0`]),
    ...(group === '' ? [] : [sql<SqlBool>`"group" = ${group}`]),
    ...(outcome === '' ? [] : [sql<SqlBool>`outcome = ${sql.lit(outcome)}`]),
    ...(slow ? [sql<SqlBool>`duration_ms >= ${sql.lit(slowMs)}`] : []),
  ]
}

/** Whether the totals can answer; otherwise the rows are counted. */
export const isInTotals = (selection: LogSelection): boolean => apart(selection).length === 0

/** Users have an index of their own, and so have the rare types; all else is looked up in the index of times. */
const narrows = ([column, value]: [Column, string | number]): boolean =>
  column === 'user_id' || (column === 'type' && value !== logType.consumption)

const throughIndex = (column: Column, value: string | number): Condition =>
  column === 'type'
    ? sql<SqlBool>`type = ${sql.lit(value)} and type <> ${sql.lit(logType.consumption)}`
    : sql<SqlBool>`${sql.ref(column)} = ${value}`

/** A comparison no planner answers with an index. */
const besideIndex = (column: Column, value: string | number): Condition =>
  typeof value === 'string'
    ? sql<SqlBool>`${sql.ref(column)} || '' = ${value}`
    : sql<SqlBool>`${sql.ref(column)} + 0 = ${value}`

/** Conditions on log rows that lead both engines to the index of the narrowest column, or with `false` to none. */
export function onRows(selection: LogSelection, useIndex = true): Condition {
  const columns = asked(selection)
  const leading = useIndex ? columns.find(narrows) : undefined
  const conditions = columns.map((pair) => (pair === leading ? throughIndex(...pair) : besideIndex(...pair)))
  return joined([...conditions, ...apart(selection)])
}

/** The smallest table of totals that knows every column asked for, and the conditions on it. */
export function onTotals(selection: LogSelection): { table: string; where: Condition } {
  const table =
    selection.userId !== 0 ? 'user_log_totals' : selection.tokenName !== '' ? 'token_log_totals' : 'log_totals'
  return { table, where: joined(asked(selection).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)) }
}
