import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { routingApi } from '#shared/api/routing.ts'
import type { OutputOf } from '#shared/contract.ts'
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

const none: ReadonlyMap<number, OutputOf<typeof routingApi.troubles>[number]> = new Map()

/** The quarter hours since a time in which channels were limited or rested, by channel. */
export function useTroubles(from: number) {
  const { data = none } = useQuery({
    queryKey: ['channels', 'troubles', from],
    queryFn: async () => new Map((await call(routingApi.troubles, { from })).map((each) => [each.channel_id, each])),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    meta: ownReport,
  })
  return data
}
