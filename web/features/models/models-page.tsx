import { NativeSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Navigate, useLocation, useSearchParams } from 'react-router'
import { modelsApi } from '#shared/api/models.ts'
import type { OutputOf } from '#shared/contract.ts'
import { GroupBadges } from '#web/components/data/badges.tsx'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { PanelPage, panelWidth } from '#web/components/page/side-panel.tsx'
import { DataTable } from '#web/components/table/data-table.tsx'
import { ListFoot } from '#web/components/table/list-foot.tsx'
import { SearchBox } from '#web/components/table/search-box.tsx'
import { useTableState } from '#web/hooks/use-table-state.ts'
import { useWide } from '#web/hooks/use-wide.ts'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { withFields } from '#web/lib/table-address.ts'
import { useUser } from '#web/state/session.tsx'
import { statusQuery } from '#web/state/status.tsx'
import { joinedPrices, modelColumns } from './model-columns.tsx'
import { wordOf } from './model-words.ts'
import styles from './models.module.css'

const ModelPanel = lazy(async () => ({ default: (await import('./model-panel.tsx')).ModelPanel }))

const modelsPerPage = 20

type Catalogue = OutputOf<typeof modelsApi.list>

/** Whether the reader may see it; for visitors only the server knows, and what it said on an earlier visit may be over. */
function useShownHere(): boolean | undefined {
  const { user } = useUser()
  const status = useQuery(statusQuery)
  return user !== null || status.isError || status.data?.models_public
}

interface Narrowed {
  page: number
  keyword: string
  vendor: string
  ability: string
}

function useCatalogue(narrowed: Narrowed, isShown: boolean) {
  const { user } = useUser()
  const args = { ...narrowed, pagesize: modelsPerPage }
  return useQuery({
    queryKey: ['catalogue', user?.id ?? 0, args],
    queryFn: () => call(modelsApi.list, args),
    placeholderData: keepPreviousData,
    enabled: isShown,
    retry: false,
    meta: ownReport,
  })
}

/** What the reader can reach, for his price; a row opens beside the list. */
export function ModelsPage() {
  const { t } = useTranslation()
  const { user } = useUser()
  const { pathname, search } = useLocation()
  const isShown = useShownHere()
  const state = useTableState()
  const wide = useWide()
  const [params, setParams] = useSearchParams()
  const change = (fields: Record<string, string>) =>
    setParams((before) => withFields(before, fields), { replace: true, preventScrollReset: true })
  const [vendor, ability] = [params.get('vendor') ?? '', params.get('ability') ?? '']
  const query = useCatalogue({ page: state.page, keyword: state.keyword, vendor, ability }, isShown === true)
  if (isShown === false || (query.isLoadingError && !user))
    return <Navigate to="/login" replace state={{ from: pathname + search }} />
  if (query.isLoadingError)
    return (
      <>
        <PageHead title={t('models.title')} />
        <CannotLoad error={query.error} onRetry={query.refetch} />
      </>
    )
  const { data } = query
  const rows = data?.list ?? []
  const open = (id: string) => change({ open: id })
  const shown = rows.find(({ id }) => id === params.get('open'))
  const step = (by: number) => {
    const next = shown && rows[rows.indexOf(shown) + by]
    return next && (() => open(next.id))
  }
  const isBeside = wide && shown !== undefined
  const isFiltered = vendor !== '' || ability !== '' || state.keyword !== ''
  const panel = shown && (
    <Suspense>
      <ModelPanel model={shown} onUp={step(-1)} onDown={step(1)} onClose={() => open('')} />
    </Suspense>
  )
  return (
    <PanelPage panel={panel ?? null}>
      <PageHead title={t('models.title')} count={data && t('models.count', { count: data.total })}>
        {!shown && <CatalogueFilters answer={data} vendor={vendor} ability={ability} onChange={change} />}
        <SearchBox
          label={t('models.search')}
          value={state.searchText}
          onChange={state.setSearchText}
          onSearch={state.search}
          width={240}
        />
      </PageHead>
      {data && <PriceUnit answer={data} />}
      <DataTable
        label={t('models.title')}
        columns={modelColumns(t, { isBeside, open })}
        joined={(model) => joinedPrices(t, model)}
        rows={rows}
        rowId={({ id }) => id}
        loading={query.isPending}
        state={state}
        isOpen={({ id }) => id === shown?.id}
        taken={isBeside ? panelWidth : 0}
        empty={
          <EmptyState
            title={t(isFiltered ? 'prices.empty' : 'models.empty')}
            hint={isFiltered ? undefined : t('models.emptyHint')}
          />
        }
      />
      <ListFoot
        onRefresh={query.refetch}
        page={state.page}
        total={data?.total ?? 0}
        size={modelsPerPage}
        onPage={state.setPage}
      />
    </PanelPage>
  )
}

interface FilterProps {
  answer: Catalogue | undefined
  vendor: string
  ability: string
  onChange: (fields: Record<string, string>) => void
}

function CatalogueFilters({ answer, vendor, ability, onChange }: FilterProps) {
  const { t } = useTranslation()
  return (
    <>
      <NativeSelect
        aria-label={t('models.vendor')}
        value={vendor}
        onChange={(event) => onChange({ vendor: event.currentTarget.value, page: '' })}
        data={[{ value: '', label: t('models.anyVendor') }, ...(answer?.vendors ?? [])]}
      />
      <NativeSelect
        aria-label={t('models.can')}
        value={ability}
        onChange={(event) => onChange({ ability: event.currentTarget.value, page: '' })}
        data={[
          { value: '', label: t('models.anyAbility') },
          ...(answer?.abilities ?? []).map((name) => ({ value: name, label: wordOf(t, name) })),
        ]}
      />
    </>
  )
}

/** For whom the prices of the list are, and for how much. */
function PriceUnit({ answer: { groups, group_ratio } }: { answer: Catalogue }) {
  const { t } = useTranslation()
  return (
    <p className={styles.unit}>
      {t('models.unit')} <GroupBadges groups={groups.join(',')} />
      {t('models.ratio', { ratio: Number(group_ratio.toFixed(4)) })}
    </p>
  )
}
