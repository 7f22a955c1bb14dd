import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import { addStored, type Cell, type StoredCell } from './cells.ts'
import { daySeconds, quarterSeconds, type Span, shapes } from './shapes.ts'
import { slotCells } from './slot-cells.ts'
import { addCells } from './store.ts'

type DetailRow = StoredCell & Cell & { slot: number }

const rowsOfDay = async (tx: Tx, span: Span, day: number): Promise<DetailRow[]> =>
  (
    await sql<DetailRow>`
    select * from usage_details where span = ${sql.lit(span)} and slot >= ${day} and slot < ${day + daySeconds}`.execute(
      tx,
    )
  ).rows

const first: readonly string[] = ['usage_details', 'usage_routes']

/** Adds what stands in the roll-ups that keep everything apart to those that were made later. */
export async function fillShortTables(tx: Tx): Promise<void> {
  const later = shapes.filter(({ table }) => !first.includes(table))
  const { rows } = await sql<{ slot: number }>`
    select distinct slot from usage_details where span = ${sql.lit(daySeconds)} order by slot`.execute(tx)
  for (const { slot: day } of rows) {
    const days = await rowsOfDay(tx, daySeconds, day)
    const quarters = await rowsOfDay(tx, quarterSeconds, day)
    for (const shape of later) {
      for (const span of shape.spans) {
        const cells = slotCells(shape, span)
        for (const row of span >= daySeconds ? days : quarters) addStored(cells.of(row, row.slot), row)
        await addCells(tx, shape, span, cells.all())
      }
    }
  }
}
