import { useQuery } from '@tanstack/react-query'
import { historyApi } from '#shared/api/history.ts'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'

const perPage = 100
const pagesMax = 5

async function timesOf(from: number, to: number): Promise<number[]> {
  const times: number[] = []
  for (let page = 1; page <= pagesMax; page++) {
    const { list, total } = await call(historyApi.list, { page, pagesize: perPage, from, to })
    times.push(...list.map(({ time }) => time))
    if (times.length >= total || list.length === 0) break
  }
  return times
}

/** How many changes History has in each bucket: of administrators, who may read it. */
export function useChanges(enabled: boolean, starts: readonly number[], to: number): readonly number[] {
  const from = starts[0] ?? 0
  const { data = [] } = useQuery({
    queryKey: ['history', 'times', from, to],
    queryFn: () => timesOf(from, to),
    enabled: enabled && starts.length > 0,
    staleTime: 60_000,
    meta: ownReport,
  })
  return starts.map((start, at) => {
    const end = starts[at + 1] ?? to
    return data.filter((time) => time >= start && time < end).length
  })
}
