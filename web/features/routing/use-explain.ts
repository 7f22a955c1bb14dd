import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { routeNeeds, routingApi } from '#shared/api/routing.ts'
import { call } from '#web/lib/api.ts'
import { readWhole } from '#web/lib/input/typed-number.ts'
import { withFields } from '#web/lib/table-address.ts'

const every = 10_000
const tokensMax = 100_000_000

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
  const tokens = readWhole(params.get('prompt') ?? '')
  const needs = routeNeeds.filter((need) => (params.get('needs') ?? '').split(',').includes(need))
  const asked = {
    model,
    ...(who === '' ? { group } : askedAs(who)),
    ...(tokens !== undefined && tokens >= 1 && tokens <= tokensMax ? { prompt_tokens: tokens } : {}),
    ...(needs.length > 0 ? { needs } : {}),
  }
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
    prompt: params.get('prompt') ?? '',
    needs,
    route,
    change: (fields: Record<string, string>) =>
      setParams((before) => withFields(before, fields), { replace: true, preventScrollReset: true }),
  }
}
