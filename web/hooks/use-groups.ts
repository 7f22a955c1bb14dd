import { useQuery } from '@tanstack/react-query'
import { groupsQuery } from '#web/state/queries/site-queries.ts'

/** Names of all groups, and those of `chosen` that are none any more. For administrators. */
export function useGroups(chosen: readonly string[]): string[] {
  const { data = [] } = useQuery(groupsQuery)
  return [...new Set([...data, ...chosen])]
}
