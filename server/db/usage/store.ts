import { CompiledQuery, sql } from 'kysely'
import { isSqlite, type Tx } from '#server/db/database.ts'
import {
  addCell,
  addRow,
  addStored,
  type Cell,
  type Keys,
  newCell,
  type StoredCell,
  storedCell,
  sumNames,
  type UsageRow,
} from './cells.ts'
import { details, quarterSeconds, type Shape, type Span, shapes } from './shapes.ts'
import { readTimes, type Times, writeTimes } from './times.ts'

interface SlotCell {
  readonly slot: number
  readonly cell: Cell
}

interface SlotCells {
  /** The cell of a request's keys and time. */
  of(keys: Keys, at: number): Cell
  all(): SlotCell[]
}

/** Cells of a shape, made when they are asked for. */
export function slotCells(shape: Shape, span: Span): SlotCells {
  const cells = new Map<string, SlotCell>()
  return {
    of(keys, at) {
      const slot = at - (at % span)
      let key = String(slot)
      for (const name of shape.keys) key += `\u0000${keys[name]}`
      const known = cells.get(key) ?? { slot, cell: newCell(keys) }
      cells.set(key, known)
      return known.cell
    },
    all: () => [...cells.values()],
  }
}

const measures = [...sumNames, 'first_byte', 'duration'] as const
const timesNames = ['first_byte', 'duration'] as const

/** Times are added by writing them behind each other; what has grown this long is added up. */
const longTimes = 1000
const rowsPerStatement = 300

type Written = Record<string, string | number | null>

/** Adds cells to those that are there. */
export async function addCells(tx: Tx, shape: Shape, span: Span, cells: readonly SlotCell[]): Promise<void> {
  for (let at = 0; at < cells.length; at += rowsPerStatement) {
    const long = await writeSome(tx, shape, span, cells.slice(at, at + rowsPerStatement))
    for (const row of long) await shorten(tx, shape, span, row)
  }
}

/** Answers the ones whose times have grown long. */
async function writeSome(tx: Tx, shape: Shape, span: Span, cells: readonly SlotCell[]): Promise<Written[]> {
  const values = cells.flatMap(({ slot, cell }) => {
    const stored = storedCell(cell)
    return [span, slot, ...shape.keys.map((name) => cell[name]), ...measures.map((name) => stored[name])]
  })
  const { rows } = await tx.executeQuery<Written>(
    CompiledQuery.raw(addingTo(shape, cells.length, isSqlite(tx)), values),
  )
  return rows.filter(({ duration }) => duration !== null)
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/** The statement that adds so many cells. Written once: with many requests a second it is needed all the time. */
function addingTo(shape: Shape, count: number, sqlite: boolean): string {
  const name = `${shape.table} ${count} ${sqlite}`
  const known = statements.get(name)
  if (known) return known
  const { table } = shape
  const keys = ['span', 'slot', ...shape.keys]
  const columns = [...keys, ...measures]
  const mark = (at: number) => (sqlite ? '?' : `$${at + 1}`)
  const row = (at: number) => `(${columns.map((_, column) => mark(at * columns.length + column)).join(', ')})`
  const sums = sumNames.map((sum) => `"${sum}" = ${table}."${sum}" + excluded."${sum}"`)
  const times = timesNames.map(
    (time) => `"${time}" = case when excluded."${time}" = '' then ${table}."${time}"
      when ${table}."${time}" = '' then excluded."${time}" else ${table}."${time}" || ',' || excluded."${time}" end`,
  )
  const long = timesNames.map(
    (time) => `case when length(first_byte) + length(duration) > ${longTimes} then ${time} end as ${time}`,
  )
  const text = `insert into ${table} (${quoted(columns)}) values ${Array.from({ length: count }, (_, at) => row(at)).join(', ')}
    on conflict (${quoted(keys)}) do update set ${[...sums, ...times].join(', ')}
    returning ${quoted(['slot', ...shape.keys])}, ${long.join(', ')}`
  statements.set(name, text)
  return text
}

/** At most `rowsPerStatement` for each shape. */
const statements = new Map<string, string>()

async function shorten(tx: Tx, shape: Shape, span: Span, row: Written): Promise<void> {
  const [firstByte, duration] = timesNames.map((name) => {
    const times: Times = new Map()
    readTimes(String(row[name] ?? ''), times)
    return writeTimes(times)
  })
  const same = ['slot', ...shape.keys].map((name) => sql`${sql.ref(name)} = ${row[name]}`)
  await sql`
    update ${sql.table(shape.table)} set first_byte = ${firstByte}, duration = ${duration}
    where span = ${sql.lit(span)} and ${sql.join(same, sql` and `)}`.execute(tx)
}

/**
 * Adds requests to every roll-up. Each is counted once, by what keeps everything apart; all else is added up from that. The
 * caller holds the mark, so that nobody else does at the same time.
 */
export async function addUsage(tx: Tx, rows: readonly UsageRow[]): Promise<void> {
  if (rows.length === 0) return
  const finest = slotCells(details, quarterSeconds)
  for (const row of rows) addRow(finest.of(row, row.created_at), row)
  const base = finest.all()
  for (const shape of shapes) {
    for (const span of shape.spans) {
      const cells = slotCells(shape, span)
      for (const { slot, cell } of base) addCell(cells.of(cell, slot), cell)
      await addCells(tx, shape, span, cells.all())
    }
  }
}

/** Takes the names an account gave its tokens out of the figures; the figures stay. The caller holds the mark. */
export async function forgetTokenNames(tx: Tx, userId: number): Promise<void> {
  for (const shape of shapes.filter(({ keys }) => keys.includes('user_id'))) {
    const { rows } = await sql<StoredCell & Cell & { span: Span; slot: number }>`
      delete from ${sql.table(shape.table)} where user_id = ${userId} returning *`.execute(tx)
    for (const span of shape.spans) {
      const cells = slotCells(shape, span)
      for (const row of rows.filter((kept) => kept.span === span))
        addStored(cells.of({ ...row, token_name: '' }, row.slot), row)
      await addCells(tx, shape, span, cells.all())
    }
  }
}
