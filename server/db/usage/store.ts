import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import {
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
import { type Shape, type Span, shapes } from './shapes.ts'
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
  const table = sql.table(shape.table)
  const keys = ['span', 'slot', ...shape.keys]
  const values = cells.map(({ slot, cell }) => {
    const stored = storedCell(cell)
    const row = [span, slot, ...shape.keys.map((name) => cell[name]), ...measures.map((name) => stored[name])]
    return sql`(${sql.join(row)})`
  })
  const list = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
  const sums = sumNames.map((name) => sql`${sql.ref(name)} = ${table}.${sql.ref(name)} + excluded.${sql.ref(name)}`)
  const times = timesNames.map(
    (name) => sql`${sql.ref(name)} = case when excluded.${sql.ref(name)} = '' then ${table}.${sql.ref(name)}
      when ${table}.${sql.ref(name)} = '' then excluded.${sql.ref(name)}
      else ${table}.${sql.ref(name)} || ',' || excluded.${sql.ref(name)} end`,
  )
  const { rows } = await sql<Written>`
    insert into ${table} (${list([...keys, ...measures])}) values ${sql.join(values)}
    on conflict (${list(keys)}) do update set ${sql.join([...sums, ...times])}
    returning ${list(['slot', ...shape.keys])},
      case when length(first_byte) + length(duration) > ${sql.lit(longTimes)} then first_byte end as first_byte,
      case when length(first_byte) + length(duration) > ${sql.lit(longTimes)} then duration end as duration`.execute(tx)
  return rows.filter(({ duration }) => duration !== null)
}

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

/** Adds requests to every roll-up. The caller holds the mark, so that nobody else does at the same time. */
export async function addUsage(tx: Tx, rows: readonly UsageRow[]): Promise<void> {
  if (rows.length === 0) return
  for (const shape of shapes) {
    for (const span of shape.spans) {
      const cells = slotCells(shape, span)
      for (const row of rows) addRow(cells.of(row, row.created_at), row)
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
