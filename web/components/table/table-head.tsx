import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { Sort } from '#web/hooks/use-table-state.ts'
import type { Column } from './column.ts'
import styles from './data-table.module.css'

interface Props<Row> {
  columns: ReadonlyArray<Column<Row>>
  sort: Sort | null
  onSort: (column: string) => void
}

export function TableHead<Row>({ columns, sort, onSort }: Props<Row>) {
  return (
    <thead>
      <Bands columns={columns} />
      <tr>
        {columns.map((column) => {
          const sorted = sort?.column === column.id && column.sortBy ? sort : null
          const ariaSort = sorted ? (sorted.descending ? 'descending' : 'ascending') : undefined
          const Arrow = sorted?.descending ? IconArrowDown : IconArrowUp
          return (
            <th key={column.id} scope="col" data-align={column.align} aria-sort={ariaSort}>
              {column.sortBy ? (
                <button type="button" className={styles.sort} onClick={() => onSort(column.id)}>
                  {column.header}
                  <Arrow className={styles.arrow} size={14} stroke={1.8} aria-hidden />
                </button>
              ) : (
                (column.head ?? column.header)
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

/** Neighbours under one word, as one heading over them. */
function Bands<Row>({ columns }: Pick<Props<Row>, 'columns'>) {
  if (columns.every(({ band }) => band === undefined)) return null
  const runs: { band: string | undefined; ids: string[] }[] = []
  for (const { band, id } of columns) {
    const last = runs.at(-1)
    if (last && last.band === band) last.ids.push(id)
    else runs.push({ band, ids: [id] })
  }
  return (
    <tr className={styles.bands}>
      {runs.map(({ band, ids }) =>
        band === undefined ? (
          <td key={ids.join()} colSpan={ids.length} />
        ) : (
          <th key={ids.join()} scope="colgroup" colSpan={ids.length} data-align="end">
            {band}
          </th>
        ),
      )}
    </tr>
  )
}
