import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { modelsApi } from '#shared/api/models.ts'
import type { OutputOf } from '#shared/contract.ts'
import { useOpenEntry } from '#web/hooks/use-open-entry.ts'
import { useTableState } from '#web/hooks/use-table-state.ts'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'
import { withFields } from '#web/lib/table-address.ts'
import { useUser } from '#web/state/session.tsx'
import { statusQuery } from '#web/state/status.tsx'

export const modelsPerPage = 20

export type Catalogue = OutputOf<typeof modelsApi.list>

export type CatalogueView = ReturnType<typeof useCatalogueView>

/** Whether the reader may see it; for visitors only the server knows, and what it said on an earlier visit may be over. */
export function useShownHere(): boolean | undefined {
  const { user } = useUser()
  const status = useQuery(statusQuery)
  return user !== null || status.isError || status.data?.models_public
}

/** Which models are looked at, and which of them is open, kept in the address. */
export function useCatalogueView() {
  const state = useTableState()
  const [params, setParams] = useSearchParams()
  return {
    state,
    vendor: params.get('vendor') ?? '',
    ability: params.get('ability') ?? '',
    narrow: (fields: Record<string, string>) =>
      setParams((before) => withFields(before, { ...fields, page: '' }), { replace: true, preventScrollReset: true }),
    ...useOpenEntry(),
  } as const
}

export function useCatalogue({ state, vendor, ability }: CatalogueView, isShown: boolean) {
  const { user } = useUser()
  const args = { page: state.page, keyword: state.keyword, vendor, ability, pagesize: modelsPerPage }
  return useQuery({
    queryKey: ['catalogue', user?.id ?? 0, args],
    queryFn: () => call(modelsApi.list, args),
    placeholderData: keepPreviousData,
    enabled: isShown,
    retry: false,
    meta: ownReport,
  })
}
