import {
  createSortedRowModel,
  type RowData,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'
import { useRoom } from '#web/hooks/use-room.ts'
import type { TableState } from '#web/hooks/use-table-state.ts'
import type { Column } from './column.ts'
import styles from './data-table.module.css'
import { fitColumns } from './fit-columns.ts'
import { PhoneList } from './phone-list.tsx'
import { TableHead } from './table-head.tsx'
import { SkeletonRows } from './table-skeleton.tsx'

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
}

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic },
})

/** Words are compared without regard to case. */
const comparable = (value: string | number): string | number =>
  typeof value === 'string' ? value.toLowerCase() : value

function useSortedRows<Row extends RowData>({
  columns,
  rows,
  state,
}: Pick<Props<Row>, 'columns' | 'rows' | 'state'>): Row[] {
  const sortable = useMemo(
    () =>
      columns.map(({ id, sortBy }) => ({
        id,
        accessorFn: (row: Row) => comparable(sortBy?.(row) ?? ''),
        sortFn: 'basic' as const,
      })),
    [columns],
  )
  const { sort } = state
  const sorting = sort && columns.some(({ id, sortBy }) => id === sort.column && sortBy) ? [sort] : []
  const table = useTable({
    features,
    columns: sortable,
    data: rows as Row[],
    state: { sorting: sorting.map(({ column, descending }) => ({ id: column, desc: descending })) },
  })
  return table.getRowModel().rows.map((row) => row.original)
}

/** THE table: plain where it fits, two-line rows where it does not. Sorts the loaded page by its headers. */
export function DataTable<Row extends RowData>(props: Props<Row>) {
  const { rowId, loading, state, label, empty } = props
  const columns = fitColumns(props.columns, useRoom(), props.rows)
  const rows = useSortedRows(props)
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
            <tr key={rowId(row)}>
              {columns.map(({ id, cell, align, title }) => (
                <td key={id} data-align={align} data-column={id} title={title?.(row)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  )
}
