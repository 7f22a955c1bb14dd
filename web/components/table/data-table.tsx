import { type ReactNode, useMemo } from 'react'
import { useRoom } from '#web/hooks/screen/use-room.ts'
import type { TableState } from '#web/hooks/use-table-state.ts'
import type { Column, Joined } from './column.ts'
import styles from './data-table.module.css'
import { fitColumns } from './fit-columns.ts'
import { PhoneList } from './phone-list.tsx'
import { RowCells } from './row-cells.tsx'
import { TableHead } from './table-head.tsx'
import { SkeletonRows } from './table-skeleton.tsx'
import { type Ticks, tickColumn } from './ticks.tsx'

interface Props<Row> {
  /** Name of the table for readers of the screen. */
  label: string
  columns: ReadonlyArray<Column<Row>>
  rows: readonly Row[]
  rowId: (row: Row) => string | number
  loading: boolean
  state: Pick<TableState, 'sort' | 'toggleSort'>
  /** Shown instead of rows when there are none. */
  empty: ReactNode
  /** Drawn as the lower edge of a phone's row. */
  phoneEdge?: (row: Row) => ReactNode
  /** Rows can be ticked. */
  ticks?: Ticks<Row>
  /** Stands open in a panel beside the list. */
  isOpen?: (row: Row) => boolean
  /** Pixels something beside the table takes. */
  taken?: number
  /** Stands out: it was edited. */
  isMarked?: (row: Row) => boolean
  /** What one cell says in the place of several. */
  joined?: (row: Row) => Joined | null
}

/** For a table whose rows keep their order. */
export const unsorted: Pick<TableState, 'sort' | 'toggleSort'> = { sort: null, toggleSort: () => {} }

/** Words are compared without regard to case. */
const comparable = (value: string | number): string | number =>
  typeof value === 'string' ? value.toLowerCase() : value

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0
  return a > b ? 1 : -1
}

/** The loaded page as its headers sort it; equal rows keep their order. */
function useSortedRows<Row>({ columns, rows, state: { sort } }: Pick<Props<Row>, 'columns' | 'rows' | 'state'>) {
  return useMemo(() => {
    const sortBy = columns.find(({ id }) => id === sort?.column)?.sortBy
    if (!sort || !sortBy) return rows
    const way = sort.descending ? -1 : 1
    return rows.toSorted((a, b) => way * compare(comparable(sortBy(a)), comparable(sortBy(b))))
  }, [columns, rows, sort])
}

/** The table of every list: plain where it fits, two-line rows where it does not. Sorts the loaded page by its headers. */
export function DataTable<Row>(props: Props<Row>) {
  const { rowId, loading, state, label, empty } = props
  const rows = useSortedRows(props)
  const all = props.ticks ? [tickColumn(props.ticks, rows), ...props.columns] : props.columns
  const columns = fitColumns(all, useRoom() - (props.taken ?? 0), props.rows)
  if (!loading && rows.length === 0) return empty
  if (!columns) return <PhoneList {...props} rows={rows} />
  return (
    <table className={styles.table} aria-label={label} aria-busy={loading}>
      <colgroup>
        {columns.map(({ id, width }) => (
          <col key={id} style={{ width }} />
        ))}
      </colgroup>
      <TableHead columns={columns} sort={state.sort} onSort={state.toggleSort} />
      <tbody>
        {loading && <SkeletonRows columns={columns} />}
        {!loading &&
          rows.map((row) => (
            <tr
              key={rowId(row)}
              data-ticked={props.ticks?.isTicked(row) || props.isMarked?.(row) || undefined}
              data-open={props.isOpen?.(row) || undefined}
            >
              <RowCells row={row} columns={columns} joined={props.joined?.(row) ?? null} />
            </tr>
          ))}
      </tbody>
    </table>
  )
}
