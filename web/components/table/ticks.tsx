import type { ReactNode } from 'react'
import type { Selection } from '#web/hooks/use-selection.ts'
import type { TFunction } from '#web/lib/i18n.ts'
import type { Column } from './column.ts'
import { TickBox } from './tick-box.tsx'

export interface Ticks<Row> {
  /** Where there is little room ticks are shown only when asked for. */
  picking: boolean
  isTicked: (row: Row) => boolean
  box: (row: Row, rows: readonly Row[]) => ReactNode
  all: (rows: readonly Row[]) => ReactNode
  word: string
}

/** Ticks for the rows of a list, over a selection of ids. */
export function ticksOf<Row extends { id: number }>(
  t: TFunction,
  selection: Selection,
  nameOf: (row: Row) => string,
): Ticks<Row> {
  const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id)
  return {
    picking: selection.picking,
    isTicked: ({ id }) => selection.ids.has(id),
    word: t('table.bulk.select'),
    box: (row, rows) => (
      <TickBox
        label={t('table.bulk.selectOne', { name: nameOf(row) })}
        checked={selection.ids.has(row.id)}
        onToggle={(range) => selection.toggle(row.id, idsOf(rows), range)}
      />
    ),
    all: (rows) => {
      const ticked = rows.filter(({ id }) => selection.ids.has(id)).length
      return (
        <TickBox
          label={t('table.bulk.selectPage')}
          checked={ticked > 0 && ticked === rows.length}
          mixed={ticked > 0 && ticked < rows.length}
          disabled={rows.length === 0}
          onToggle={() => selection.toggleAll(idsOf(rows))}
        />
      )
    },
  }
}

const tickWidth = 32

export const tickColumn = <Row,>({ box, all, word }: Ticks<Row>, rows: readonly Row[]): Column<Row> => ({
  id: 'select',
  header: word,
  head: all(rows),
  cell: (row) => box(row, rows),
  width: tickWidth,
  phone: 'hidden',
})
