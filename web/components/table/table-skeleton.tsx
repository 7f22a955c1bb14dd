import { Skeleton } from '@mantine/core'
import { pageSizeDefault } from '#shared/pagination.ts'
import type { Column } from './column.ts'

const lines = Array.from({ length: pageSizeDefault }, (_, index) => index)

/** Uneven, but the same on every draw. */
const widthOf = (line: number, column: number): string => `${45 + ((line * 37 + column * 23) % 40)}%`

/** Rows of the same columns while the first answer is on its way. */
export function SkeletonRows<Row>({ columns }: { columns: ReadonlyArray<Column<Row>> }) {
  return lines.map((line) => (
    <tr key={line}>
      {columns.map(({ id, align }, column) => (
        <td key={id} data-align={align}>
          <Skeleton height={10} width={widthOf(line, column)} ml={align === 'end' ? 'auto' : undefined} />
        </td>
      ))}
    </tr>
  ))
}
