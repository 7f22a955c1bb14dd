import type { UseQueryResult } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Navigate, useLocation } from 'react-router'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { PanelPage, panelWidth, waysFrom } from '#web/components/page/side-panel.tsx'
import { DataTable } from '#web/components/table/data-table.tsx'
import { ListEmpty } from '#web/components/table/list-empty.tsx'
import { ListFoot } from '#web/components/table/list-foot.tsx'
import { useWide } from '#web/hooks/screen/use-wide.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUser } from '#web/state/session.tsx'
import { CatalogueHead } from './catalogue-head.tsx'
import { joinedPrices, modelColumns } from './model-columns.tsx'
import {
  type Catalogue,
  type CatalogueView,
  modelsPerPage,
  useCatalogue,
  useCatalogueView,
  useShownHere,
} from './use-catalogue.ts'

const ModelPanel = lazy(async () => ({ default: (await import('./model-panel.tsx')).ModelPanel }))

/** What the reader can reach, for his price; a row opens beside the list. */
export function ModelsPage() {
  const { t } = useTranslation()
  const { user } = useUser()
  const { pathname, search } = useLocation()
  const isShown = useShownHere()
  const view = useCatalogueView()
  const query = useCatalogue(view, isShown === true)
  if (isShown === false || (query.isLoadingError && !user))
    return <Navigate to="/login" replace state={{ from: pathname + search }} />
  if (query.isLoadingError)
    return (
      <>
        <PageHead title={t('models.title')} />
        <CannotLoad error={query.error} onRetry={query.refetch} />
      </>
    )
  return <ModelList view={view} query={query} />
}

interface ListProps {
  view: CatalogueView
  query: Pick<UseQueryResult<Catalogue>, 'data' | 'isPending' | 'refetch'>
}

function ModelList({ view, query }: ListProps) {
  const { t } = useTranslation()
  const wide = useWide()
  const { state, opened, open } = view
  const rows = query.data?.list ?? []
  const total = query.data?.total ?? 0
  const shown = rows.find(({ id }) => id === opened)
  const isBeside = wide && shown !== undefined
  const panel = shown && (
    <Suspense>
      <ModelPanel model={shown} {...waysFrom(rows, shown, ({ id }) => open(id))} onClose={() => open('')} />
    </Suspense>
  )
  return (
    <PanelPage panel={panel ?? null}>
      <CatalogueHead view={view} answer={query.data} withFilters={!shown} />
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
        empty={<NoModels view={view} total={total} onRefresh={query.refetch} />}
      />
      <ListFoot onRefresh={query.refetch} page={state.page} total={total} size={modelsPerPage} onPage={state.setPage} />
    </PanelPage>
  )
}

interface NoModelsProps {
  view: CatalogueView
  total: number
  onRefresh: () => Promise<unknown>
}

/** Whoever runs the relay can do something about it. */
function NoModels({ view: { state, vendor, ability, narrow }, total, onRefresh }: NoModelsProps) {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  const isNarrowed = vendor !== '' || ability !== ''
  return (
    <ListEmpty
      state={state}
      list={{ total, failed: false, refresh: onRefresh }}
      title={t('models.empty')}
      hint={t('models.emptyHint')}
      add={isAdmin && { label: t('pages.channelAdd'), to: '/channel/add' }}
      clearFilter={isNarrowed && (() => narrow({ vendor: '', ability: '' }))}
    />
  )
}
