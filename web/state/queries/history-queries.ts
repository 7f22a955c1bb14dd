import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { historyApi } from '#shared/api/history.ts'
import type { ArgsOf } from '#shared/contract.ts'
import { call } from '#web/lib/api.ts'

export type HistoryFilter = ArgsOf<typeof historyApi.list>

export const historyList = (filter: HistoryFilter) =>
  queryOptions({
    queryKey: ['history', 'list', filter],
    queryFn: () => call(historyApi.list, filter),
    placeholderData: keepPreviousData,
  })

export const historyEntry = (id: number) =>
  queryOptions({ queryKey: ['history', id], queryFn: () => call(historyApi.get, { id }), enabled: id > 0 })
