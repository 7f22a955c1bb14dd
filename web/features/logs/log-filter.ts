import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { LogFilter } from '#shared/api/logs.ts'
import { nowSeconds } from '#web/lib/format.ts'

/** What the address says; `end_timestamp` 0 stands for the default, one hour from now. */
export type Filter = LogFilter

const windowAhead = 3600
const names = Object.keys(LogFilter.shape) as Array<keyof Filter>
const empty: Filter = LogFilter.parse({})

/** One hour ahead of the moment of asking, so that a page left open still finds the newest rows. */
export const endOf = (filter: Filter): number => filter.end_timestamp || nowSeconds() + windowAhead

/** A field that makes no sense counts as not given. */
function filterOf(params: URLSearchParams): Filter {
  const given = names.map((name) => [name, LogFilter.shape[name].safeParse(params.get(name) ?? undefined).data])
  return { ...empty, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) }
}

/** How many filters are set. */
export const countSet = (filter: Filter): number => names.filter((name) => filter[name] !== empty[name]).length

interface FilterState {
  /** What the rows are chosen by. */
  filter: Filter
  /** What stands in the fields. */
  draft: Filter
  change: (changes: Partial<Filter>) => void
  /** Asks with what stands in the fields, and with these. */
  apply: (changes?: Partial<Filter>) => void
  clear: () => void
}

/** The filters of the log, kept in the address. */
export function useLogFilter(): FilterState {
  const [params, setParams] = useSearchParams()
  const filter = filterOf(params)
  const [draft, setDraft] = useState(filter)
  const show = (next: Filter) => {
    setDraft(next)
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        after.delete('page')
        for (const name of names) {
          if (next[name] === empty[name]) after.delete(name)
          else after.set(name, String(next[name]))
        }
        return after
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return {
    filter,
    draft,
    change: (changes) => setDraft({ ...draft, ...changes }),
    apply: (changes = {}) => show(LogFilter.parse({ ...draft, ...changes })),
    clear: () => show(empty),
  }
}
