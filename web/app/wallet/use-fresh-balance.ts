import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { accountApi } from '#shared/api/account.ts'
import { call } from '#web/lib/api.ts'
import { askAgain } from '#web/state/queries/ask-again.ts'
import { selfQuery } from '#web/state/queries/self-queries.ts'
import { ownTeamsQuery } from '#web/state/queries/team-queries.ts'

const every = 60_000

/** A failure is not said: nobody has asked, and what is shown stays as true as it was. */
async function look(queries: QueryClient): Promise<void> {
  const before = queries.getQueryData(selfQuery.queryKey)
  if (before === undefined || document.visibilityState === 'hidden') return
  if ((queries.getQueryData(ownTeamsQuery.queryKey) ?? []).length > 0)
    void queries.refetchQueries({ queryKey: ownTeamsQuery.queryKey, exact: true })
  const now = await call(accountApi.self).catch(() => before)
  if (now.id === before.id && now.quota !== before.quota) await askAgain(queries, 'self')
}

/** Balances change elsewhere too: in another tab, by an administrator, by what programs spend. */
export function useFreshBalance(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const again = () => void look(queries)
    const timer = setInterval(again, every)
    document.addEventListener('visibilitychange', again)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', again)
    }
  }, [queries])
}
