import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { type Channel, channelsApi } from '#shared/api/channels.ts'
import { type List, type ListArgs, useList } from '#web/hooks/use-list.ts'
import type { TableState } from '#web/hooks/use-table-state.ts'
import { call } from '#web/lib/api.ts'

type Answer = z.output<typeof channelsApi.list.output>

const load = ({ page, pagesize, keyword }: ListArgs): Promise<Answer> =>
  keyword ? call(channelsApi.search, { page, pagesize, keyword }) : call(channelsApi.list, { page, pagesize })

const countsKey = ['channels', 'counts']

export interface ChannelList extends List<Channel, Answer> {
  enabled: number
  /** Changes the number of enabled channels in place. */
  countEnabled: (by: number) => void
  /** Of all channels, also while a search shows some of them. */
  disabledEverywhere: number
}

export function useChannelList(state: TableState): ChannelList {
  const queries = useQueryClient()
  const list = useList<Channel, Answer>('channels', state, load)
  const searching = state.keyword !== ''
  const everywhere = useQuery({
    queryKey: countsKey,
    queryFn: () => call(channelsApi.list, { page: 1, pagesize: 1 }),
    enabled: searching,
  })
  const recount = () => queries.invalidateQueries({ queryKey: countsKey })
  const counted = searching ? everywhere.data : list.answer
  return {
    ...list,
    enabled: list.answer?.enabled ?? 0,
    refresh: () => Promise.all([list.refresh(), recount()]),
    countEnabled: (by) => {
      list.update((answer) => ({ ...answer, enabled: answer.enabled + by }))
      void recount()
    },
    disabledEverywhere: (counted?.total ?? 0) - (counted?.enabled ?? 0),
  }
}
