import type { Column } from './column.ts'

const slackMin = 106
const slackMax = 160
const letterWidth = 7
const padding = 16

/** What the column without a width needs: room for the longest text of its cells, within bounds. */
function slackFor<Row>(columns: ReadonlyArray<Column<Row>>, rows: readonly Row[]): number {
  const { title } = columns.find(({ width }) => width === undefined) ?? {}
  if (!title || rows.length === 0) return (slackMin + slackMax) / 2
  const longest = Math.max(...rows.map((row) => title(row).length))
  return Math.min(slackMax, Math.max(slackMin, longest * letterWidth + padding))
}

/** The columns there is room for, after those that may go have gone in their order; `null` when even the rest is too wide. */
export function fitColumns<Row>(
  columns: ReadonlyArray<Column<Row>>,
  room: number,
  rows: readonly Row[] = [],
): ReadonlyArray<Column<Row>> | null {
  const slack = slackFor(columns, rows)
  const levels = [0, ...new Set(columns.flatMap(({ drop }) => drop ?? []))].sort((a, b) => a - b)
  for (const level of levels) {
    const kept = columns.filter(({ drop }) => drop === undefined || drop > level)
    if (kept.reduce((sum, { width }) => sum + (width ?? slack), 0) <= room) return kept
  }
  return null
}
