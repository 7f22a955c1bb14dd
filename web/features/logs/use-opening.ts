import type { Log } from '#shared/api/logs.ts'
import { useOpenEntry } from '#web/hooks/use-open-entry.ts'
import { type Opening, openerId, openKey } from './log-opener.tsx'

interface Panel extends Opening {
  readonly close: () => void
  /** The entry above or below the open one; none at the ends of the list. */
  readonly step: (rows: readonly Log[], by: 1 | -1) => (() => void) | undefined
}

/** Which row stands open beside the list, kept in the address. */
export function useOpening(): Panel {
  const { opened: open, open: change } = useOpenEntry()
  const close = () => {
    change('')
    // The list is drawn anew with all its columns first.
    setTimeout(() => document.getElementById(openerId(open))?.focus(), 50)
  }
  return {
    open,
    close,
    toggle: (row) => (openKey(row) === open ? close() : change(openKey(row))),
    step: (rows, by) => {
      const at = rows.findIndex((row) => openKey(row) === open)
      const next = at < 0 ? undefined : rows[at + by]
      return next && (() => change(openKey(next)))
    },
  }
}
