import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { routingApi } from '#shared/api/routing.ts'
import { call } from '#web/lib/api.ts'
import { withFields } from '#web/lib/table-address.ts'

const every = 10_000

/** `user:3` or `token:5` as the call wants it. */
function askedAs(who: string): { user_id?: number; token_id?: number } {
  const [kind, id] = who.split(':')
  if (kind === 'user') return { user_id: Number(id) }
  return kind === 'token' ? { token_id: Number(id) } : {}
}

/** What is asked for and by whom, kept in the address, and where it would go. */
export function useExplain() {
  const [params, setParams] = useSearchParams()
  const model = params.get('model') ?? ''
  const who = /^(user|token):\d+$/.exec(params.get('who') ?? '')?.[0] ?? ''
  const group = params.get('group') ?? 'default'
  const asked = who === '' ? { model, group } : { model, ...askedAs(who) }
  const route = useQuery({
    queryKey: ['explain', asked],
    queryFn: () => call(routingApi.explain, asked),
    enabled: model !== '',
    placeholderData: keepPreviousData,
    refetchInterval: every,
  })
  return {
    model,
    who,
    group,
    route,
    change: (fields: Record<string, string>) =>
      setParams((before) => withFields(before, fields), { replace: true, preventScrollReset: true }),
  }
}
