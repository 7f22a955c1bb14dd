import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { pageSizeDefault } from '#shared/pagination.ts'
import type { Column, PhoneSlot } from './column.ts'
import styles from './phone-list.module.css'
import { PhoneRows } from './phone-rows.ts'
import type { Ticks } from './ticks.tsx'

interface Props<Row> {
  label: string
  columns: ReadonlyArray<Column<Row>>
  rows: readonly Row[]
  rowId: (row: Row) => string | number
  loading: boolean
  /** Drawn as the row's lower edge. */
  phoneEdge?: (row: Row) => ReactNode
  ticks?: Ticks<Row>
  /** Stands open in a sheet over the list. */
  isOpen?: (row: Row) => boolean
}

const lines = Array.from({ length: pageSizeDefault }, (_, index) => index)

/** The table on a phone: two lines a row, never sideways scrolling. */
export function PhoneList<Row>({ label, columns, rows, rowId, loading, phoneEdge, ticks, isOpen }: Props<Row>) {
  if (loading)
    return (
      <ul className={styles.list} aria-label={label} aria-busy="true">
        {lines.map((line) => (
          <li key={line} className={styles.row}>
            <div className={styles.lines}>
              <Skeleton height={10} width={`${40 + ((line * 37) % 30)}%`} mt={5} />
              <Skeleton height={10} width={`${55 + ((line * 23) % 30)}%`} mt={14} mb={5} />
            </div>
          </li>
        ))}
      </ul>
    )
  const slot = (name: PhoneSlot, row: Row) =>
    columns
      .filter(({ phone }) => phone === name)
      .map(({ id, cell, phoneCell }) => (
        <span key={id} className={styles.part}>
          {(phoneCell ?? cell)(row)}
        </span>
      ))
  return (
    <PhoneRows value={true}>
      <ul className={styles.list} aria-label={label}>
        {rows.map((row) => (
          <li
            key={rowId(row)}
            className={styles.row}
            data-ticked={ticks?.isTicked(row) || undefined}
            data-open={isOpen?.(row) || undefined}
          >
            {ticks?.picking && ticks.box(row, rows)}
            <div className={styles.lines}>
              <div className={styles.line}>
                <span className={styles.title}>{slot('title', row)}</span>
                <span className={styles.end}>{slot('state', row)}</span>
              </div>
              <div className={styles.line}>
                <span className={styles.meta}>{slot('meta', row)}</span>
                <span className={styles.end}>{slot('badge', row)}</span>
              </div>
            </div>
            {slot('actions', row)}
            {phoneEdge && <div className={styles.edge}>{phoneEdge(row)}</div>}
          </li>
        ))}
      </ul>
    </PhoneRows>
  )
}
