import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { type Db, isSqlite } from '#server/db/database.ts'
import { Log } from '#shared/api/logs.ts'
import { controlSpaces, runningSigns, spaces } from '#shared/csv.ts'
import { type LogSelection, onRows } from './log-filter.ts'

export type LineFormat = 'csv' | 'jsonl'
/** Users see neither channels nor cost. */
export type Whose = 'everything' | 'own'
type Text = RawBuilder<string>

const names = Object.keys(Log.shape) as (keyof Log)[]
const texts: ReadonlySet<string> = new Set<keyof Log>([
  'username',
  'token_name',
  'model_name',
  'content',
  'request_id',
  'outcome',
  'group',
])

export const columnsFor = (whose: Whose): readonly (keyof Log)[] =>
  whose === 'own' ? names.filter((name) => name !== 'cost') : names

const detailText = sql<string>`case when detail = '' then '{}' else detail end`

/** Without the channel's name of the model; most rows have none and stay as they are. */
const detailAskedFor = (sqlite: boolean): Text => {
  const changed = sqlite
    ? sql`json_replace(json_remove(detail, '$.mapped'), '$.charge.model', model_name)`
    : sql`cast(jsonb_set(cast(detail as jsonb) - 'mapped', '{charge,model}', to_jsonb(model_name), false) as text)`
  return sql<string>`case when detail like '%"mapped":%' then ${changed} else ${detailText} end`
}

/** What everybody but administrators gets in place of what is stored. */
const hidden = (sqlite: boolean): Partial<Record<keyof Log, Text>> => ({
  channel: sql<string>`'0'`,
  tried: sql<string>`'[]'`,
  detail: detailAskedFor(sqlite),
})

/** Columns that are JSON in every file. */
const jsonIn: Partial<Record<keyof Log, Text>> = {
  tried: sql<string>`concat('[', tried, ']')`,
  detail: detailText,
}

const flag = sql<string>`case when is_stream = 1 then 'true' else 'false' end`
const list = (values: readonly string[]) => sql.join(values.map((value) => sql.lit(value)))

const harmlessCell = (text: Text): Text => sql<string>`concat(
  case when substr(${text}, 1, 1) in (${list(controlSpaces)})
    or substr(ltrim(${text}, ${sql.lit(spaces)}), 1, 1) in (${list(runningSigns)}) then '"''' else '"' end,
  replace(${text}, '"', '""'), '"')`

/** The text of a column in a file. */
function cellOf(name: keyof Log, format: LineFormat, whose: Whose, sqlite: boolean): Text {
  const instead = whose === 'own' ? hidden(sqlite)[name] : undefined
  const json = name === 'tried' || name === 'detail' ? (instead ?? jsonIn[name]) : undefined
  if (json) return format === 'csv' ? harmlessCell(json) : json
  if (instead) return instead
  if (name === 'is_stream') return flag
  const column = sql<string>`${sql.ref(name)}`
  if (texts.has(name)) {
    if (format === 'csv') return harmlessCell(column)
    return sqlite ? sql<string>`json_quote(${column})` : sql<string>`cast(to_json(${column}) as text)`
  }
  const none = sql.lit(format === 'csv' ? '' : 'null')
  return sql<string>`coalesce(cast(${column} as text), ${none})`
}

function lineOf(format: LineFormat, whose: Whose, sqlite: boolean): Text {
  const cells = columnsFor(whose).flatMap((name, at) => {
    const before = format === 'csv' ? (at === 0 ? '' : ',') : `${at === 0 ? '{' : ','}"${name}":`
    return [sql.lit(before), cellOf(name, format, whose, sqlite)]
  })
  const end = sqlite
    ? format === 'csv'
      ? sql`char(13, 10)`
      : sql`concat('}', char(10))`
    : sql.lit(format === 'csv' ? '\r\n' : '}\n')
  return sql<string>`concat(${sql.join([...cells, end])})`
}

export interface LogPlace {
  readonly created_at: number
  readonly id: number
}

export interface Lines {
  readonly count: number
  /** Of the last line. */
  readonly place: LogPlace
  readonly text: string | Uint8Array<ArrayBuffer>
}

/** Placeholders for where a step begins; after compiling, the parameters are found by these values. */
const marks = { from: { mark: 'from' }, createdAt: { mark: 'created_at' }, id: { mark: 'id' } }

interface LinesRow {
  readonly count: number
  readonly created_at: number
  readonly ids: string
  readonly text: Lines['text']
}

function statementOf(db: Db, selection: LogSelection, take: number, line: Text): CompiledQuery<LinesRow> {
  const sqlite = isSqlite(db)
  const newest = sql`order by created_at desc, id desc`
  const joined = (value: RawBuilder<unknown>, between: string) =>
    sqlite
      ? sql`group_concat(${value}, ${sql.lit(between)} ${newest})`
      : sql`string_agg(cast(${value} as text), ${sql.lit(between)} ${newest})`
  const text = joined(sql`line`, '')
  return sql<LinesRow>`
    select count(*) as count, min(created_at) as created_at, ${joined(sql`id`, ',')} as ids,
      ${sqlite ? sql`cast(${text} as blob)` : text} as text
    from (
      select created_at, id, ${line} as line from logs
      where ${onRows(selection)} and created_at >= ${marks.from} and (created_at, id) < (${marks.createdAt}, ${marks.id})
      ${newest} limit ${sql.lit(take)}
    ) as step`.compile(db)
}

/**
 * Reads lines from a time up to a place, newest first. The database writes them, by a statement that is made once: rows that
 * become objects here leave more behind than the collector takes away in time.
 */
export function createLineReader(
  db: Db,
  selection: LogSelection,
  take: number,
  { format, whose }: { format: LineFormat; whose: Whose },
): (from: number, before: LogPlace) => Promise<Lines | null> {
  const statement = statementOf(db, selection, take, lineOf(format, whose, isSqlite(db)))
  return async (from, before) => {
    const values = new Map<unknown, number>([
      [marks.from, from],
      [marks.createdAt, before.created_at],
      [marks.id, before.id],
    ])
    const parameters = statement.parameters.map((value) => values.get(value) ?? value)
    const [row] = (await db.executeQuery<LinesRow>({ ...statement, parameters })).rows
    if (!row || row.count === 0) return null
    const id = Number(row.ids.slice(row.ids.lastIndexOf(',') + 1))
    return { count: row.count, place: { created_at: row.created_at, id }, text: row.text }
  }
}
