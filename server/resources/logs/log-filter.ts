import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Negatable, slowMs } from '#shared/api/logs.ts'
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
  /** Which of these are negated: all but that. */
  readonly not: readonly Negatable[]
  /** First second, and the second after the last. */
  readonly from: number
  readonly to: number
}

type Condition = RawBuilder<SqlBool>
type Column = 'user_id' | 'token_name' | 'type' | 'model_name' | 'channel'
type Pair = [column: Column, value: string | number]

const named: Readonly<Record<Exclude<Negatable, 'group'>, readonly [Column, keyof LogSelection]>> = {
  username: ['user_id', 'userId'],
  token_name: ['token_name', 'tokenName'],
  type: ['type', 'type'],
  model_name: ['model_name', 'modelName'],
  channel: ['channel', 'channel'],
}

/** What is asked of the columns that the totals know, or of those the negation of which is asked for. */
function asked(selection: LogSelection, isNegated = false): Pair[] {
  return (Object.keys(named) as (keyof typeof named)[])
    .filter((name) => selection.not.includes(name) === isNegated)
    .map((name): Pair => [named[name][0], selection[named[name][1]] as string | number])
    .filter(([, value]) => value !== 0 && value !== '')
}

const all: Condition = sql<SqlBool>`1 = 1`

const joined = (conditions: Condition[]): Condition =>
  conditions.length === 0 ? all : sql<SqlBool>`${sql.join(conditions, sql` and `)}`

/** Rows of a selection with a negated filter are those of `all` without those of `less`; null when it has none. */
export function splitNegated(selection: LogSelection): { all: LogSelection; less: LogSelection } | null {
  const [first, ...not] = selection.not
  if (first === undefined) return null
  const none = first === 'group' ? { group: '' } : { [named[first][1]]: isWhole(first) ? 0 : '' }
  return { all: { ...selection, not, ...none }, less: { ...selection, not } }
}

const isWhole = (name: Negatable): boolean => name === 'username' || name === 'type' || name === 'channel'

/** What the totals do not keep apart. The rare ones have indexes of their own, which these conditions lead to. */
function apart({ teamId, group, outcome, slow, not }: LogSelection): Condition[] {
  return [
    ...(teamId === 0 ? [] : [sql<SqlBool>`team_id = ${teamId} and team_id > 0`]),
    ...(group === ''
      ? []
      : [not.includes('group') ? sql<SqlBool>`"group" <> ${group}` : sql<SqlBool>`"group" = ${group}`]),
    ...(outcome === '' ? [] : [sql<SqlBool>`outcome = ${sql.lit(outcome)}`]),
    ...(slow ? [sql<SqlBool>`duration_ms >= ${sql.lit(slowMs)}`] : []),
  ]
}

/** Whether the totals can answer; otherwise the rows are counted. */
export const isInTotals = (selection: LogSelection): boolean => apart(selection).length === 0

/** Users have an index of their own, and so have the rare types; all else is looked up in the index of times. */
const narrows = ([column, value]: Pair): boolean =>
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
  const others = asked(selection, true).map(([column, value]) => sql<SqlBool>`${sql.ref(column)} <> ${value}`)
  return joined([...conditions, ...others, ...apart(selection)])
}

/** The smallest table of totals that knows every column asked for, and the conditions on it. */
export function onTotals(selection: LogSelection): { table: string; where: Condition } {
  const table =
    selection.userId !== 0 ? 'user_log_totals' : selection.tokenName !== '' ? 'token_log_totals' : 'log_totals'
  return { table, where: joined(asked(selection).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)) }
}
