import { queryOptions, useQuery } from '@tanstack/react-query'
import { routingApi } from '#shared/api/routing.ts'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'

const restsEvery = 15_000

/** Channels that rest now, with the time it ends in epoch seconds. */
const restingChannels = queryOptions({
  queryKey: ['channels', 'resting'],
  queryFn: async () =>
    new Map((await call(routingApi.resting)).map((rest) => [rest.channel_id, rest.resting_until] as const)),
  refetchInterval: restsEvery,
  meta: ownReport,
})

export type Resting = ReadonlyMap<number, number>
const nobody: Resting = new Map()

export const useResting = (enabled = true): Resting => useQuery({ ...restingChannels, enabled }).data ?? nobody
