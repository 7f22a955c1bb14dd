import type { ReactNode } from 'react'

/** Where a column goes on a phone: line 1 left, line 1 right, line 2 left, line 2 right, the button, or nowhere. */
export type PhoneSlot = 'title' | 'state' | 'meta' | 'badge' | 'actions' | 'hidden'

export interface Column<Row> {
  /** Also its name in the address when the table is sorted by it. */
  id: string
  header: string
  /** Drawn in the head instead of the word. */
  head?: ReactNode
  /** Stands over this column and its neighbours of the same word. */
  band?: string
  cell: (row: Row) => ReactNode
  /** Makes the header a sort button. */
  sortBy?: (row: Row) => string | number
  /** Pixels. One column, the name or the details, has none and takes the slack. */
  width?: number
  /** Pixels it makes do with before any column goes; the one without a width gives up its slack last. */
  least?: number
  align?: 'end'
  /** Full text of a cell that may be cut. */
  title?: (row: Row) => string
  phone: PhoneSlot
  /** What the phone shows, if not the cell. */
  phoneCell?: (row: Row) => ReactNode
  /** May go when there is no room for all: 1 goes first. */
  drop?: 1 | 2 | 3 | 4 | 5
}

/** One cell in the place of several columns of a row. */
export interface Joined {
  columns: readonly string[]
  cell: ReactNode
}
