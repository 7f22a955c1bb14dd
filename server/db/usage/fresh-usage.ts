import type { LogsTable } from '#server/db/logs/logs-table.ts'
import { logType } from '#shared/statuses.ts'
import type { UsageLogRow } from './cells.ts'
import { details, quarterSeconds } from './shapes.ts'
import { countRequest, type SlotCell, type SlotCells, slotCells } from './slot-cells.ts'

type FreshRow = UsageLogRow & Pick<LogsTable, 'type'>

/** All log rows numbered above `after` and up to `upTo`, added up by what keeps everything apart. */
export interface FreshPart {
  readonly after: number
  readonly upTo: number
  /** Of the file, when the last of them was written. */
  readonly version: number
  readonly cells: readonly SlotCell[]
}

/**
 * The requests that the one process of a SQLite file has just written to the log, added up in memory, so that nobody has to read
 * them from there to fold them. It may be forgotten at any moment: the log has them all.
 */
export interface FreshUsage {
  /** These rows are in the log for good, the last ones there, up to a number. */
  add(rows: readonly FreshRow[], upTo: number, version: number): void
  /** Rows of the log may have changed. */
  forget(): void
  /** The number of the last row that is not known here; undefined when none is. */
  after(): number | undefined
  /** What is known, which is forgotten. */
  take(): FreshPart | null
}

/** What is folded at once: beyond this many, the rows are read again in steps. */
const mostCells = 2000

/** Of other rows the log knows more than this: whose token it was, or that they are no requests. */
const isWhole = ({ type, token_id, token_name }: FreshRow): boolean =>
  type === logType.consumption && (token_id !== 0 || token_name === '')

export function createFreshUsage(): FreshUsage {
  let known: { readonly after: number; upTo: number; readonly version: number; readonly cells: SlotCells } | null = null
  let isFull = false
  const forget = () => {
    known = null
    isFull = false
  }
  return {
    add(rows, upTo, version) {
      if (isFull || rows.length === 0) return
      const after = upTo - rows.length
      if (!rows.every(isWhole)) return forget()
      if (known?.upTo !== after || known.version !== version)
        known = { after, upTo: after, version, cells: slotCells(details, quarterSeconds) }
      for (const row of rows) countRequest(known.cells, row)
      known.upTo = upTo
      isFull = known.cells.all().length >= mostCells
    },
    forget,
    after: () => known?.after,
    take() {
      const part = known && { ...known, cells: known.cells.all() }
      forget()
      return part
    },
  }
}
