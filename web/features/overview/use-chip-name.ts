import { useQuery } from '@tanstack/react-query'
import { teamsApi } from '#shared/api/teams.ts'
import { pageSizeMax } from '#shared/pagination.ts'
import { useChannelName } from '#web/hooks/use-channel-name.ts'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'
import { useUser } from '#web/state/session.tsx'
import type { Chip } from './use-overview.ts'

/** What people call the value of a filter: channels and teams go by their number. */
export function useChipName(): (chip: Pick<Chip, 'field' | 'value'>) => string {
  const channelName = useChannelName()
  const { isAdmin } = useUser()
  const { data: teams } = useQuery({
    queryKey: ['teams', 'names'],
    queryFn: async () => (await call(teamsApi.list, { pagesize: pageSizeMax, all: 'true' })).list,
    enabled: isAdmin,
    meta: ownReport,
  })
  return ({ field, value }) => {
    if (field === 'channel') return channelName(Number(value))
    if (field === 'team') return teams?.find(({ id }) => id === Number(value))?.name ?? `#${value}`
    return value
  }
}
