import type { Column } from './column.ts'

const slackMin = 106
const slackMax = 160
const letterWidth = 7
const wideLetterWidth = 13
const padding = 16

/** Letters of Chinese, Japanese and Korean are as wide as they are high. */
const isWide = (letter: string): boolean => letter >= '\u2e80'

const widthOf = (text: string): number =>
  total([...text].map((letter) => (isWide(letter) ? wideLetterWidth : letterWidth)))

/** What the column without a width needs: room for the longest text of its cells, within bounds. */
function slackFor<Row>(columns: ReadonlyArray<Column<Row>>, rows: readonly Row[]): number {
  const { title } = columns.find(({ width }) => width === undefined) ?? {}
  if (!title || rows.length === 0) return (slackMin + slackMax) / 2
  const longest = Math.max(...rows.map((row) => widthOf(title(row))))
  return Math.min(slackMax, Math.max(slackMin, longest + padding))
}

const total = (widths: number[]): number => widths.reduce((sum, width) => sum + width, 0)

/** Each column between its least and its full width, all giving up the same share of what they can spare. */
function narrow<Row>(columns: ReadonlyArray<Column<Row>>, room: number): ReadonlyArray<Column<Row>> {
  const sized = columns.flatMap(({ width, least = width }) =>
    width === undefined ? [] : [{ width, least: least ?? 0 }],
  )
  const spare = total(sized.map(({ width, least }) => width - least))
  const over = total(sized.map(({ width }) => width)) - room
  if (over <= 0 || spare === 0) return columns
  const share = Math.min(1, over / spare)
  return columns.map((column) => {
    const { width, least = width } = column
    if (width === undefined || least === undefined) return column
    return { ...column, width: Math.floor(width - (width - least) * share) }
  })
}

/**
 * The columns there is room for: narrowed first, then without those that may go, in their order; `null` when even the rest is too wide.
 */
export function fitColumns<Row>(
  columns: ReadonlyArray<Column<Row>>,
  room: number,
  rows: readonly Row[] = [],
): ReadonlyArray<Column<Row>> | null {
  const slack = slackFor(columns, rows)
  const levels = [0, ...new Set(columns.flatMap(({ drop }) => drop ?? []))].sort((a, b) => a - b)
  for (const level of levels) {
    const kept = columns.filter(({ drop }) => drop === undefined || drop > level)
    if (total(kept.map(({ width, least }) => least ?? width ?? slack)) <= room) return narrow(kept, room - slack)
  }
  return null
}
