import { queryOptions } from '@tanstack/react-query'
import { optionsApi } from '#shared/api/options.ts'
import type { OptionKey } from '#shared/options.ts'
import { call } from '#web/lib/api.ts'

/** Stored texts by key; secrets are never among them. */
export type StoredOptions = Readonly<Partial<Record<OptionKey, string>>>

export const optionsQuery = queryOptions({
  queryKey: ['options'],
  queryFn: async (): Promise<StoredOptions> =>
    Object.fromEntries((await call(optionsApi.list)).map(({ key, value }) => [key, value])),
})
