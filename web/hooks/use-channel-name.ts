import { useQuery } from '@tanstack/react-query'
import { ownReport } from '#web/lib/failures.ts'
import { channelsBrief } from '#web/state/queries/channel-queries.ts'
import { useUser } from '#web/state/session.tsx'

/** The name of a channel for administrators; its number until it is known. */
export function useChannelName(): (id: number) => string {
  const { isAdmin } = useUser()
  const { data } = useQuery({ ...channelsBrief, enabled: isAdmin, meta: ownReport })
  return (id) => data?.get(id)?.name ?? `#${id}`
}
