import type { Column, Joined } from './column.ts'

interface Props<Row> {
  row: Row
  columns: ReadonlyArray<Column<Row>>
  joined: Joined | null
}

/** The cells of a row; where some are joined, the first of them that is shown stands for all. */
export function RowCells<Row>({ row, columns, joined }: Props<Row>) {
  const together = columns.filter(({ id }) => joined?.columns.includes(id))
  return columns.map((column) => {
    const { id, cell, align, title } = column
    if (joined && column === together[0])
      return (
        <td key={id} colSpan={together.length} data-column={id}>
          {joined.cell}
        </td>
      )
    if (together.includes(column)) return null
    return (
      <td key={id} data-align={align} data-column={id} title={title?.(row)}>
        {cell(row)}
      </td>
    )
  })
}
