import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { channelsApi } from '#shared/api/channels.ts'
import type { ChannelFilter } from '#shared/channel-filter.ts'
import { pageSizeMax } from '#shared/pagination.ts'
import { call } from '#web/lib/api.ts'
import type { ListArgs } from './list-query.ts'

/** A page of channels, narrowed to what the filter says. */
export const channelList = (filter: ChannelFilter) => (args: ListArgs) =>
  queryOptions({
    queryKey: ['channels', 'list', { ...args, ...filter }],
    queryFn: () => {
      const { page, pagesize, keyword } = args
      return keyword
        ? call(channelsApi.search, { page, pagesize, keyword, ...filter })
        : call(channelsApi.list, { page, pagesize, ...filter })
    },
    placeholderData: keepPreviousData,
  })

/** For a form: what is edited is read anew each time. */
export const channelQuery = (id: number) =>
  queryOptions({ queryKey: ['channels', id], queryFn: () => call(channelsApi.get, { id }), gcTime: 0 })

/** How many there are and are enabled, whatever the list is searched for. */
export const channelCounts = queryOptions({
  queryKey: ['channels', 'counts'],
  queryFn: () => call(channelsApi.list, { page: 1, pagesize: 1 }),
})

/** Channels by their id, for those who name them. */
export const channelsBrief = queryOptions({
  queryKey: ['channels', 'brief'],
  queryFn: async () =>
    new Map((await call(channelsApi.list, { page: 1, pagesize: pageSizeMax })).list.map((row) => [row.id, row])),
  staleTime: 30_000,
})

const pollEvery = 1000

/** The test over many channels, followed while it runs. */
export const channelTestProgress = queryOptions({
  queryKey: ['channel-test-progress'],
  queryFn: () => call(channelsApi.testProgress),
  refetchInterval: ({ state }) => (state.data?.running ? pollEvery : false),
  gcTime: 0,
})

/** Names of all models the system knows. */
export const modelNames = queryOptions({
  queryKey: ['models'],
  queryFn: async () => (await call(channelsApi.models)).map(({ id }) => id),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Addresses have a length limit: the names go in parts. */
const partSize = 100

async function pricesOf(models: readonly string[]) {
  const parts = Array.from({ length: Math.ceil(models.length / partSize) }, (_, part) =>
    models.slice(part * partSize, (part + 1) * partSize),
  )
  return (await Promise.all(parts.map((names) => call(channelsApi.prices, { models: names.join(',') })))).flat()
}

export const pricesQuery = (models: readonly string[]) =>
  queryOptions({
    queryKey: ['prices', models],
    queryFn: () => pricesOf(models),
    enabled: models.length > 0,
    placeholderData: keepPreviousData,
  })
