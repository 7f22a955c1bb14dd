import { addRescued, addRow, type Cell, dimensions, type Keys, newCell, rescuedOf, type UsageLogRow } from './cells.ts'
import type { RollupSpan, Shape } from './shapes.ts'

/** What was used in one stretch of time. */
export interface SlotCell {
  readonly slot: number
  readonly cell: Cell
}

export interface SlotCells {
  /** The cell of a request's keys and time. */
  of(keys: Keys, at: number): Cell
  all(): readonly SlotCell[]
}

/** Cells of a shape, made when they are asked for. */
export function slotCells(shape: Shape, span: RollupSpan): SlotCells {
  const cells = new Map<string, SlotCell>()
  const all: SlotCell[] = []
  let last: SlotCell | undefined
  return {
    of(keys, at) {
      const slot = at - (at % span)
      // Requests of one caller come in rows: the key need not be spelled for each.
      if (last && last.slot === slot && isSame(last.cell, keys)) return last.cell
      let key = String(slot)
      for (const name of shape.keys) key += `\u0000${keys[name]}`
      last = cells.get(key)
      if (last) return last.cell
      last = { slot, cell: newCell(keys) }
      cells.set(key, last)
      all.push(last)
      return last.cell
    },
    all: () => all,
  }
}

/** Counts a request for who answered it, and each attempt that was rescued for the channel it was made on. */
export function countRequest(cells: SlotCells, row: UsageLogRow): void {
  addRow(cells.of(row, row.created_at), row)
  for (const attempt of rescuedOf(row)) addRescued(cells.of(attempt.keys, row.created_at), attempt)
}

function isSame(cell: Cell, keys: Keys): boolean {
  for (const name of dimensions) if (cell[name] !== keys[name]) return false
  return true
}
