import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type LogFilter, logsApi } from '#shared/api/logs.ts'
import { pageSizeDefault } from '#shared/pagination.ts'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'
import { nowSeconds } from '#web/lib/format.ts'

const windowAhead = 3600

/** One hour ahead of the moment of asking, so that a page left open still finds the newest rows. */
export const endOf = (filter: LogFilter): number => filter.end_timestamp || nowSeconds() + windowAhead

/** What the server is asked: people see their own rows, administrators everyone's. */
const argsOf = (filter: LogFilter) => ({ ...filter, end_timestamp: endOf(filter) })

const ownArgsOf = (filter: LogFilter) => {
  const { username: _, channel: __, ...own } = argsOf(filter)
  return own
}

export const logsKey = ['logs']
export const logListKey = ['logs', 'list']

export const logList = (everyone: boolean, filter: LogFilter, page: number) =>
  queryOptions({
    queryKey: [...logListKey, everyone, filter, page],
    queryFn: () => {
      const place = { page, pagesize: pageSizeDefault }
      return everyone
        ? call(logsApi.list, { ...argsOf(filter), ...place })
        : call(logsApi.own, { ...ownArgsOf(filter), ...place })
    },
    placeholderData: keepPreviousData,
  })

/** What the chosen rows have cost. Asked only when someone wants to know: it reads them all. */
export const consumedQuery = (everyone: boolean, filter: LogFilter) =>
  queryOptions({
    queryKey: ['logs', 'stat', everyone, filter],
    queryFn: () => (everyone ? call(logsApi.stat, argsOf(filter)) : call(logsApi.ownStat, ownArgsOf(filter))),
  })

/** How one request went. It does not change any more. */
export const requestQuery = (request_id: string) =>
  queryOptions({
    queryKey: ['logs', 'request', request_id],
    queryFn: () => call(logsApi.request, { request_id }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: ownReport,
  })
