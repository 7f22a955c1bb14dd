import { useQueries } from '@tanstack/react-query'
import { modelsApi } from '#shared/api/models.ts'
import type { Token } from '#shared/api/tokens.ts'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'
import { costAtMost, costSoFar } from './running-cost.ts'
import { askOf, type SetUp } from './set-up.ts'
import { askedLast, type Turn } from './use-conversation.ts'

/** Quota; undefined where nobody can say. */
export interface RunningCost {
  atMost: number | undefined
  soFar: number | undefined
}

const unknown: RunningCost = { atMost: undefined, soFar: undefined }

/** What running answers cost by the prices of the catalogue, and which group those are of. */
export function useRunningCost(setUp: SetUp, token: Token) {
  const answers = useQueries({
    queries: setUp.models.map((model) => ({
      queryKey: ['catalogue', 'one', model],
      queryFn: () => call(modelsApi.list, { keyword: model, pagesize: 100 }),
      staleTime: 300_000,
      retry: false,
      meta: ownReport,
    })),
  })
  const { groups = [], group_ratio = 1 } = answers.find(({ data }) => data)?.data ?? {}
  /** Prices of the catalogue are those of the cheapest group; a token may be bound to another. */
  const isSure = groups.length === 1 && (token.group === '' || token.group === groups[0])
  const costOf = (turns: readonly Turn[], model: string): RunningCost => {
    const found = answers[setUp.models.indexOf(model)]?.data?.list.find(({ id }) => id === model)
    const last = turns.at(-1)?.answers[model]
    if (!isSure || !found || last?.state !== 'running') return unknown
    const { messages, max_tokens } = askOf(setUp, model, askedLast(turns, model))
    return { atMost: costAtMost(found, messages, max_tokens), soFar: costSoFar(found, messages, last.text) }
  }
  return { costOf, prices: groups.length > 0 ? { groups: groups.join(','), ratio: group_ratio } : undefined }
}
