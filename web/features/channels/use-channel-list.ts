import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Channel, channelsApi } from '#shared/api/channels.ts'
import type { ChannelFilter } from '#shared/channel-filter.ts'
import { type List, useList } from '#web/hooks/use-list.ts'
import type { TableState } from '#web/hooks/use-table-state.ts'
import { channelCounts, channelList } from '#web/state/queries/channel-queries.ts'
import { attentionQuery } from '#web/state/queries/site-queries.ts'

type Answer = z.output<typeof channelsApi.list.output>

export interface ChannelList extends List<Channel, Answer> {
  enabled: number
  /** Changes the number of enabled channels in place. */
  countEnabled: (by: number) => void
  /** Of all channels, also while a search shows some of them. */
  disabledEverywhere: number
}

export function useChannelList(state: TableState, filter: ChannelFilter): ChannelList {
  const queries = useQueryClient()
  const list = useList<Channel, Answer>(channelList(filter), state)
  const searching = state.keyword !== '' || Object.keys(filter).length > 0
  const everywhere = useQuery({ ...channelCounts, enabled: searching })
  const recount = () => {
    void queries.invalidateQueries({ queryKey: attentionQuery.queryKey })
    return queries.invalidateQueries({ queryKey: channelCounts.queryKey })
  }
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
