import type { Column } from './column.ts'

/** What the column without a width needs at least. */
const slackMin = 150

const widthOf = <Row>(columns: ReadonlyArray<Column<Row>>): number =>
  columns.reduce((sum, { width }) => sum + (width ?? slackMin), 0)

/** The columns there is room for, after those that may go have gone in their order; `null` when even the rest is too wide. */
export function fitColumns<Row>(columns: ReadonlyArray<Column<Row>>, room: number): ReadonlyArray<Column<Row>> | null {
  const levels = [0, ...new Set(columns.flatMap(({ drop }) => drop ?? []))].sort((a, b) => a - b)
  for (const level of levels) {
    const kept = columns.filter(({ drop }) => drop === undefined || drop > level)
    if (widthOf(kept) <= room) return kept
  }
  return null
}
