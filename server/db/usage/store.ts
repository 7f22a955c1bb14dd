import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import { numberCell, rowsOf, textCell } from '#server/db/json-rows.ts'
import { addRow, addStored, type Cell, newCell, type StoredCell, storedCell, sumNames, type UsageRow } from './cells.ts'
import { type Shape, type Span, shapes } from './shapes.ts'

const texts: ReadonlySet<string> = new Set(['token_name', 'group', 'model_name', 'first_byte', 'duration'])
const cellAt = (column: string, at: number) => (texts.has(column) ? textCell(at) : numberCell(at))

interface SlotCell {
  readonly slot: number
  readonly cell: Cell
}

function bySlot(shape: Shape, span: Span, rows: readonly UsageRow[]): Map<string, SlotCell> {
  const cells = new Map<string, SlotCell>()
  for (const row of rows) {
    const slot = row.created_at - (row.created_at % span)
    let key = String(slot)
    for (const name of shape.keys) key += `\u0000${row[name]}`
    let known = cells.get(key)
    if (!known) {
      known = { slot, cell: newCell(row) }
      cells.set(key, known)
    }
    addRow(known.cell, row)
  }
  return cells
}

/** Adds what is stored already, so that what is written is the whole. */
async function addExisting(tx: Tx, shape: Shape, span: Span, cells: Map<string, SlotCell>): Promise<void> {
  const columns = ['slot', ...shape.keys]
  const wanted = [...cells.values()].map(({ slot, cell }) => [slot, ...shape.keys.map((name) => cell[name])])
  const same = columns.map((column, at) => sql`kept.${sql.ref(column)} = ${cellAt(column, at)}`)
  const { rows } = await sql<StoredCell & Record<string, unknown>>`
    select kept.* from ${rowsOf(tx, wanted)} as wanted
    join ${sql.table(shape.table)} as kept on kept.span = ${sql.lit(span)} and ${sql.join(same, sql` and `)}`.execute(
    tx,
  )
  for (const row of rows) {
    const known = cells.get([row.slot, ...shape.keys.map((name) => row[name])].join('\u0000'))
    if (known) addStored(known.cell, row)
  }
}

const measures = [...sumNames, 'first_byte', 'duration'] as const

async function write(tx: Tx, shape: Shape, span: Span, cells: Iterable<SlotCell>): Promise<void> {
  const columns = ['slot', ...shape.keys, ...measures]
  const values = [...cells].map(({ slot, cell }) => {
    const stored = storedCell(cell)
    return [slot, ...shape.keys.map((name) => cell[name]), ...measures.map((name) => stored[name])]
  })
  const keys = ['span', 'slot', ...shape.keys].map((column) => sql.ref(column))
  const changed = measures.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`)
  await sql`
    insert into ${sql.table(shape.table)} (span, ${sql.join(columns.map((column) => sql.ref(column)))})
    select ${sql.lit(span)}, ${sql.join(columns.map(cellAt))} from ${rowsOf(tx, values)} where true
    on conflict (${sql.join(keys)}) do update set ${sql.join(changed)}`.execute(tx)
}

/** Adds requests to every roll-up. The caller holds the mark, so that nobody else does at the same time. */
export async function addUsage(tx: Tx, rows: readonly UsageRow[]): Promise<void> {
  if (rows.length === 0) return
  for (const shape of shapes) {
    for (const span of shape.spans) {
      const cells = bySlot(shape, span, rows)
      await addExisting(tx, shape, span, cells)
      await write(tx, shape, span, cells.values())
    }
  }
}

/** Takes the names an account gave its tokens out of the figures; the figures stay. The caller holds the mark. */
export async function forgetTokenNames(tx: Tx, userId: number): Promise<void> {
  for (const shape of shapes.filter(({ keys }) => keys.includes('user_id'))) {
    const { rows } = await sql<StoredCell & Cell & { span: Span; slot: number }>`
      delete from ${sql.table(shape.table)} where user_id = ${userId} returning *`.execute(tx)
    for (const span of shape.spans) {
      const cells = new Map<string, SlotCell>()
      for (const row of rows.filter((kept) => kept.span === span)) {
        const nameless = { ...row, token_name: '' }
        const key = [row.slot, ...shape.keys.map((name) => nameless[name])].join('\u0000')
        const known = cells.get(key) ?? { slot: row.slot, cell: newCell(nameless) }
        addStored(known.cell, row)
        cells.set(key, known)
      }
      if (cells.size > 0) await write(tx, shape, span, cells.values())
    }
  }
}
