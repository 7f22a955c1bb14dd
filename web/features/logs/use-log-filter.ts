import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { nowSeconds } from '#web/lib/format.ts'
import { logListKey } from '#web/state/queries/log-queries.ts'
import {
  draftOf,
  type FieldName,
  type Filter,
  type FilterDraft,
  filterOf,
  inAddress,
  isSameFilter,
  noFilter,
  readDraft,
} from './log-filter.ts'

export interface FilterState {
  filter: Filter
  /** The filter as it is called and kept: without the day the log opens on. */
  named: Filter
  /** Whether the log shows the day it opens on. */
  isDay: boolean
  draft: FilterDraft
  /** Fields that cannot be read. */
  wrong: readonly FieldName[]
  change: (changes: Partial<FilterDraft>) => void
  /** Asks with what stands in the fields, and with these changes. */
  apply: (changes?: Partial<FilterDraft>) => void
  clear: () => void
  /** Asks with another filter. */
  show: (filter: Filter) => void
  /** Shows the last so many seconds; 0 shows everything. */
  since: (seconds: number) => void
}

const daySeconds = 86_400

function startOf(seconds: number, dayAgo: number): number {
  if (seconds === 0) return 0
  return seconds === daySeconds ? dayAgo : nowSeconds() - seconds
}

/** The filters of the log, kept in the address. It opens on the last 24 hours; an empty start means from the beginning. */
export function useLogFilter(): FilterState {
  const queries = useQueryClient()
  const [params, setParams] = useSearchParams()
  const [dayAgo] = useState(() => nowSeconds() - daySeconds)
  const given = filterOf(params)
  const filter = params.has('start_timestamp') ? given : { ...given, start_timestamp: dayAgo }
  const [drawn, setDrawn] = useState(() => draftOf(filter))
  const [draft, setDraft] = useState(drawn)
  const [wrong, setWrong] = useState<FieldName[]>([])

  const [shown, setShown] = useState(filter)

  const draw = (next: Filter) => {
    const fields = draftOf(next)
    setDrawn(fields)
    setDraft(fields)
    setWrong([])
  }
  // The address also changes without the fields: by a link to the log.
  if (!isSameFilter(shown, filter)) {
    setShown(filter)
    draw(filter)
  }
  const show = (next: Filter) => {
    draw(next)
    if (isSameFilter(next, filter)) void queries.invalidateQueries({ queryKey: logListKey })
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        after.delete('page')
        for (const [name, value] of inAddress(next)) value === '' ? after.delete(name) : after.set(name, value)
        if (next.start_timestamp === dayAgo) after.delete('start_timestamp')
        else after.set('start_timestamp', String(next.start_timestamp))
        return after
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return {
    filter,
    named: filter.start_timestamp === dayAgo ? { ...filter, start_timestamp: 0 } : filter,
    isDay: filter.start_timestamp === dayAgo,
    draft,
    wrong,
    change: (changes) => setDraft({ ...draft, ...changes }),
    apply: (changes = {}) => {
      const read = readDraft({ ...draft, ...changes }, drawn, filter)
      setWrong(read.wrong)
      if (read.wrong.length === 0) show(read.next)
    },
    show,
    clear: () => show({ ...noFilter, start_timestamp: dayAgo }),
    since: (seconds) => show({ ...filter, start_timestamp: startOf(seconds, dayAgo), end_timestamp: 0 }),
  }
}
