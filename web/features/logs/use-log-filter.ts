import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { logListKey } from '#web/state/queries/log-queries.ts'
import {
  type Draft,
  draftOf,
  type Filter,
  filterOf,
  inAddress,
  isSameFilter,
  noFilter,
  readDraft,
  type TimeName,
} from './log-filter.ts'

export interface FilterState {
  filter: Filter
  draft: Draft
  /** Times that cannot be read. */
  wrong: readonly TimeName[]
  change: (changes: Partial<Draft>) => void
  /** Asks with what stands in the fields, and with these changes. */
  apply: (changes?: Partial<Draft>) => void
  clear: () => void
}

/** The filters of the log, kept in the address. */
export function useLogFilter(): FilterState {
  const queries = useQueryClient()
  const [params, setParams] = useSearchParams()
  const filter = filterOf(params)
  const [drawn, setDrawn] = useState(() => draftOf(filter))
  const [draft, setDraft] = useState(drawn)
  const [wrong, setWrong] = useState<TimeName[]>([])

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
        return after
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return {
    filter,
    draft,
    wrong,
    change: (changes) => setDraft({ ...draft, ...changes }),
    apply: (changes = {}) => {
      const read = readDraft({ ...draft, ...changes }, drawn, filter)
      setWrong(read.wrong)
      if (read.wrong.length === 0) show(read.next)
    },
    clear: () => show(noFilter),
  }
}
