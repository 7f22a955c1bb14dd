import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { isSqlite, type Tx } from '#server/db/database.ts'
import { addCell, addStored, type Cell, type StoredCell, sumNames, type UsageLogRow } from './cells.ts'
import type { Bucket } from './pieces.ts'
import { details, quarterSeconds, type RollupSpan, type Shape, shapes } from './shapes.ts'
import { countRequest, type SlotCell, slotCells } from './slot-cells.ts'
import { readTimes, type Times, writeTimes } from './times.ts'

type TimesColumn = 'first_byte' | 'duration' | 'try_times' | 'late_times'
const timesColumns: readonly TimesColumn[] = ['first_byte', 'duration', 'try_times', 'late_times']

export const isTimes = (name: string): name is TimesColumn => timesColumns.some((column) => column === name)

const sumsOf = ({ lacksAttempts }: Shape) => (lacksAttempts ? sumNames.filter((name) => name !== 'rescued') : sumNames)
const timesOf = ({ lacksAttempts }: Shape) => (lacksAttempts ? timesColumns.slice(0, 2) : timesColumns)
/** The columns of a table of roll-ups that are no keys. */
export const measuresOf = (shape: Shape): readonly string[] => [...sumsOf(shape), ...timesOf(shape)]

/** Times are added by writing them behind each other; what has grown this long is added up. */
const longTimes = 1000
const rowsPerStatement = 300

type Written = Record<string, string | number | null>

/** Adds cells to those that are there. */
export async function addCells(tx: Tx, shape: Shape, span: RollupSpan, cells: readonly SlotCell[]): Promise<void> {
  for (let at = 0; at < cells.length; at += rowsPerStatement) {
    const long = await writeSome(tx, shape, span, cells.slice(at, at + rowsPerStatement))
    for (const row of long) await shorten(tx, shape, span, row)
  }
}

/** Returns the ones whose times have grown long. */
async function writeSome(tx: Tx, shape: Shape, span: RollupSpan, cells: readonly SlotCell[]): Promise<Written[]> {
  const values: (string | number)[] = []
  for (const { slot, cell } of cells) {
    values.push(span, slot)
    for (const name of shape.keys) values.push(cell[name])
    for (const name of sumsOf(shape)) values.push(cell.sums[name])
    values.push(writeTimes(cell.firstByte), writeTimes(cell.duration))
    if (!shape.lacksAttempts) values.push(writeTimes(cell.tries), writeTimes(cell.late))
  }
  const { rows } = await tx.executeQuery<{ long: string | null }>({
    ...CompiledQuery.raw(addingTo(shape, cells.length, isSqlite(tx))),
    parameters: values,
  })
  const names = ['slot', ...shape.keys, ...timesOf(shape)]
  return rows.flatMap(({ long }) =>
    long === null
      ? []
      : [Object.fromEntries((JSON.parse(long) as Written[string][]).map((value, at) => [names[at], value]))],
  )
}

const lengthOf = (shape: Shape): string =>
  timesOf(shape)
    .map((name) => `length(${shape.table}.${name})`)
    .join(' + ')

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/** The statement that adds so many cells. Written once: with many requests a second it is needed all the time. */
function addingTo(shape: Shape, count: number, sqlite: boolean): string {
  const name = `${shape.table} ${count} ${sqlite} ${shape.lacksAttempts === true}`
  const known = statements.get(name)
  if (known) return known
  const { table } = shape
  const keys = ['span', 'slot', ...shape.keys]
  const columns = [...keys, ...measuresOf(shape)]
  const mark = (at: number) => (sqlite ? '?' : `$${at + 1}`)
  const row = (at: number) => `(${columns.map((_, column) => mark(at * columns.length + column)).join(', ')})`
  const sums = sumsOf(shape).map((sum) => `"${sum}" = ${table}."${sum}" + excluded."${sum}"`)
  const times = timesOf(shape).map(
    (time) => `"${time}" = case when excluded."${time}" = '' then ${table}."${time}"
      when ${table}."${time}" = '' then excluded."${time}" else ${table}."${time}" || ',' || excluded."${time}" end`,
  )
  const listed = quoted(['slot', ...shape.keys, ...timesOf(shape)])
  const list = sqlite ? `json_array(${listed})` : `cast(json_build_array(${listed}) as text)`
  const text = `insert into ${table} (${quoted(columns)}) values ${Array.from({ length: count }, (_, at) => row(at)).join(', ')}
    on conflict (${quoted(keys)}) do update set ${[...sums, ...times].join(', ')}
    returning case when ${lengthOf(shape)} > ${longTimes} then ${list} end as long`
  statements.set(name, text)
  return text
}

/** At most `rowsPerStatement` for each shape. */
const statements = new Map<string, string>()

async function shorten(tx: Tx, shape: Shape, span: RollupSpan, row: Written): Promise<void> {
  const shorter = timesOf(shape).map((name) => {
    const times: Times = new Map()
    readTimes(String(row[name] ?? ''), times)
    return sql`${sql.ref(name)} = ${writeTimes(times)}`
  })
  const same = ['slot', ...shape.keys].map((name) => sql`${sql.ref(name)} = ${row[name]}`)
  await sql`
    update ${sql.table(shape.table)} set ${sql.join(shorter)}
    where span = ${sql.lit(span)} and ${sql.join(same, sql` and `)}`.execute(tx)
}

/** All texts of times of a group as one, which says the same. */
export function timesTogether(tx: Tx, name: TimesColumn): RawBuilder<string> {
  const text = sql`nullif(${sql.ref(name)}, '')`
  return sql`coalesce(${isSqlite(tx) ? sql`group_concat(${text})` : sql`string_agg(${text}, ',')`}, '')`
}

/** For rows whose times were added in a statement of their own. */
export async function shortenLong(tx: Tx, shape: Shape, span: RollupSpan, { from, to }: Bucket): Promise<void> {
  const { rows } = await sql<Written>`
    select * from ${sql.table(shape.table)} where span = ${sql.lit(span)} and slot >= ${from} and slot < ${to}
      and ${sql.raw(lengthOf(shape))} > ${sql.lit(longTimes)}`.execute(tx)
  for (const row of rows) await shorten(tx, shape, span, row)
}

interface Level {
  readonly shape: Shape
  readonly span: RollupSpan
  /** The level it is added up from; -1: the requests themselves. */
  readonly source: number
}

const finest = { shape: details, span: quarterSeconds } as const

/** Every roll-up, each behind the shortest one that it can be added up from; first the finest, which requests are counted by. */
const levels: readonly Level[] = [...shapes]
  .sort((a, b) => b.keys.length - a.keys.length)
  .flatMap((shape) => shape.spans.map((span) => ({ shape, span })))
  .map(({ shape, span }, at, all) => {
    const source = all.findLastIndex(
      (from, place) =>
        place < at && span % from.span === 0 && shape.keys.every((name) => from.shape.keys.includes(name)),
    )
    return { shape, span, source }
  })

/** Adds requests to every roll-up. The caller holds the mark, so that nobody else does at the same time. */
export async function addUsage(tx: Tx, rows: readonly UsageLogRow[]): Promise<void> {
  const cells = slotCells(finest.shape, finest.span)
  for (const row of rows) countRequest(cells, row)
  await addFinest(tx, cells.all())
}

/** The same for requests that are counted already, by the finest roll-up; all else is added up from that. */
export async function addFinest(tx: Tx, counted: readonly SlotCell[]): Promise<void> {
  if (counted.length === 0) return
  const done: (readonly SlotCell[])[] = []
  for (const level of levels) {
    const cells = level.source < 0 ? counted : addedUp(level, done[level.source] ?? [])
    done.push(cells)
    await addCells(tx, level.shape, level.span, cells)
  }
}

function addedUp({ shape, span }: Level, from: readonly SlotCell[]): readonly SlotCell[] {
  const cells = slotCells(shape, span)
  for (const { slot, cell } of from) addCell(cells.of(cell, slot), cell)
  return cells.all()
}

/** Takes the names an account gave its tokens out of some of its figures, which stay. Returns how many. The caller holds the mark. */
export async function forgetSomeTokenNames(tx: Tx, userId: number, most: number): Promise<number> {
  let count = 0
  for (const shape of shapes) {
    if (shape.keys.includes('user_id') && shape.keys.includes('token_name')) {
      count += await forgetNamesIn(tx, shape, { userId, most })
    }
  }
  return count
}

async function forgetNamesIn(
  tx: Tx,
  shape: Shape,
  { userId, most }: { readonly userId: number; readonly most: number },
): Promise<number> {
  const table = sql.table(shape.table)
  const keys = sql.join(['span', 'slot', ...shape.keys].map((key) => sql.ref(key)))
  const named = sql`user_id = ${userId} and token_name <> ''`
  const { rows } = await sql<StoredCell & Cell & { span: RollupSpan; slot: number }>`
    delete from ${table} where ${named} and (${keys}) in (select ${keys} from ${table} where ${named} limit ${most})
    returning *`.execute(tx)
  for (const span of shape.spans) {
    const cells = slotCells(shape, span)
    for (const row of rows.filter((kept) => kept.span === span))
      addStored(cells.of({ ...row, token_name: '' }, row.slot), row)
    await addCells(tx, shape, span, cells.all())
  }
  return rows.length
}
