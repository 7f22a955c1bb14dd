import { useQuery } from '@tanstack/react-query'
import type { Token } from '#shared/api/tokens.ts'
import { ownReport } from '#web/lib/failures.ts'
import { teamTokensQuery } from '#web/state/queries/team-queries.ts'
import { usageTable } from '#web/state/queries/usage-queries.ts'
import { thisMonth } from './this-month.ts'

export interface Activity {
  /** In this month. */
  readonly requests: number
  /** When one of the tokens was last used; 0 for never. */
  readonly lastAt: number
}

const lastUse = (tokens: readonly Token[], id: number): number =>
  tokens
    .filter(({ user_id, accessed_time, created_time }) => user_id === id && accessed_time > created_time)
    .reduce((last, { accessed_time }) => Math.max(last, accessed_time), 0)

/** What the members of a team have asked for, as its managers see it; null for everybody else. */
export function useActivity(teamId: number, isManager: boolean): ((userId: number) => Activity) | null {
  const { from, to } = thisMonth()
  const usage = useQuery({
    ...usageTable({ scope: `team:${teamId}`, by: 'user', from, to, pagesize: 100 }),
    enabled: isManager,
    meta: ownReport,
  })
  const { data: tokens = [] } = useQuery({ ...teamTokensQuery(teamId), enabled: isManager, meta: ownReport })
  if (!isManager) return null
  return (id) => ({
    requests: usage.data?.list.find(({ key }) => key === String(id))?.requests ?? 0,
    lastAt: lastUse(tokens, id),
  })
}
