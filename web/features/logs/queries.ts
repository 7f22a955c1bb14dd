import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { logsApi } from '#shared/api/logs.ts'
import { pageSizeDefault } from '#shared/pagination.ts'
import { call } from '#web/lib/api.ts'
import { endOf, type Filter } from './log-filter.ts'

/** What the server is asked: people see their own rows, administrators everyone's. */
const argsOf = (filter: Filter) => ({ ...filter, end_timestamp: endOf(filter) })

const ownArgsOf = (filter: Filter) => {
  const { username: _, channel: __, ...own } = argsOf(filter)
  return own
}

export const logListKey = ['logs', 'list']

export function useLogs(everyone: boolean, filter: Filter, page: number) {
  return useQuery({
    queryKey: [...logListKey, everyone, filter, page],
    queryFn: () => {
      const place = { page, pagesize: pageSizeDefault }
      return everyone
        ? call(logsApi.list, { ...argsOf(filter), ...place })
        : call(logsApi.own, { ...ownArgsOf(filter), ...place })
    },
    placeholderData: keepPreviousData,
  })
}

/** What the chosen rows have cost. Asked only when someone wants to know: it reads them all. */
export function useConsumed(everyone: boolean, filter: Filter, wanted: boolean) {
  return useQuery({
    queryKey: ['logs', 'stat', everyone, filter],
    queryFn: () => (everyone ? call(logsApi.stat, argsOf(filter)) : call(logsApi.ownStat, ownArgsOf(filter))),
    enabled: wanted,
  })
}
