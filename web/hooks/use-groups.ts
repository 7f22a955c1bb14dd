import { useQuery } from '@tanstack/react-query'
import { statusApi } from '#shared/api/status.ts'
import { call } from '#web/lib/api.ts'

/** Names of all groups, and those of `chosen` that are none any more. For administrators. */
export function useGroups(chosen: readonly string[]): string[] {
  const { data = [] } = useQuery({ queryKey: ['groups'], queryFn: () => call(statusApi.groups) })
  return [...new Set([...data, ...chosen])]
}
