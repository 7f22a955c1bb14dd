import { useSearchParams } from 'react-router'
import { type HistoryKind, historyKinds } from '#shared/api/history.ts'
import { useOpenEntry } from '#web/hooks/use-open-entry.ts'
import { nowSeconds } from '#web/lib/format.ts'
import { withFields } from '#web/lib/table-address.ts'
import type { HistoryFilter } from '#web/state/queries/history-queries.ts'

export const periods = { '': 0, day: 86_400, week: 7 * 86_400, month: 30 * 86_400 } as const
export type HistoryPeriod = keyof typeof periods

export const historyPageSize = 20
const minute = 60

export interface HistoryView {
  filter: HistoryFilter
  page: number
  period: HistoryPeriod
  /** The entry whose panel is open; 0 for none. */
  open: number
  /** Opens an entry; 0 closes the open one. */
  onOpen: (id: number) => void
  isFiltered: boolean
  change: (fields: Record<string, string>) => void
}

const wholeNumber = (text: string | null, least: number): number => {
  const number = Number(text)
  return Number.isSafeInteger(number) && number >= least ? number : least
}

/** Filters, page and the open entry, kept in the address. */
export function useHistoryView(): HistoryView {
  const [params, setParams] = useSearchParams()
  const { opened, open } = useOpenEntry()
  const text = (name: string) => params.get(name) ?? ''
  const kind = historyKinds.find((known) => known === text('kind')) as HistoryKind | undefined
  const period = (Object.keys(periods) as HistoryPeriod[]).find((known) => known === text('period')) ?? ''
  const page = wholeNumber(params.get('page'), 1)
  // To the minute, so that drawing again asks for the same.
  const since = period === '' ? undefined : Math.floor(nowSeconds() / minute) * minute - periods[period]
  // A stretch of time that another page leads to.
  const from = since ?? (wholeNumber(params.get('from'), 0) || undefined)
  const to = wholeNumber(params.get('to'), 0)
  return {
    filter: {
      page,
      pagesize: historyPageSize,
      actor: text('actor'),
      target: text('target'),
      ...(kind ? { kind } : {}),
      ...(from === undefined ? {} : { from }),
      ...(to === 0 ? {} : { to }),
    },
    page,
    period,
    open: wholeNumber(opened, 0),
    onOpen: (id) => open(id === 0 ? '' : String(id)),
    isFiltered: ['actor', 'target', 'kind', 'period', 'from', 'to'].some((name) => text(name) !== ''),
    change: (fields) => setParams((before) => withFields(before, fields), { replace: true, preventScrollReset: true }),
  }
}
