import { queryOptions, useQuery } from '@tanstack/react-query'
import { optionsApi } from '#shared/api/options.ts'
import type { OptionKey } from '#shared/options.ts'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'

/** Stored texts by key; secrets are never among them. */
export type StoredOptions = Readonly<Partial<Record<OptionKey, string>>>

export const optionsQuery = queryOptions({
  queryKey: ['options'],
  queryFn: async (): Promise<StoredOptions> =>
    Object.fromEntries((await call(optionsApi.list)).map(({ key, value }) => [key, value])),
})

const noRatios: ReadonlyMap<string, number> = new Map()

function ratiosIn(text: string | undefined): ReadonlyMap<string, number> {
  try {
    return new Map(Object.entries(JSON.parse(text ?? '{}') as Record<string, number>))
  } catch {
    return noRatios
  }
}

/** What prices are multiplied by for each group, for administrators. */
export function useGroupRatios(): ReadonlyMap<string, number> {
  const { data } = useQuery({ ...optionsQuery, select: ({ GroupRatio }) => ratiosIn(GroupRatio), meta: ownReport })
  return data ?? noRatios
}
