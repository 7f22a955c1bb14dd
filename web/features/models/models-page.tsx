import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Navigate, useSearchParams } from 'react-router'
import { modelsApi } from '#shared/api/models.ts'
import { pageSizeDefault } from '#shared/pagination.ts'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { DataTable } from '#web/components/table/data-table.tsx'
import { ListFoot } from '#web/components/table/list-foot.tsx'
import { SearchBox } from '#web/components/table/search-box.tsx'
import { useTableState } from '#web/hooks/use-table-state.ts'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUser } from '#web/state/session.tsx'
import { modelColumns } from './model-columns.tsx'
import { ModelPanel } from './model-panel.tsx'
import styles from './models.module.css'

/** What the reader can reach, for his price; a row opens beside the list. */
export function ModelsPage() {
  const { t } = useTranslation()
  const { user } = useUser()
  const state = useTableState()
  const [params, setParams] = useSearchParams()
  const args = { page: state.page, pagesize: pageSizeDefault, keyword: state.keyword }
  const query = useQuery({
    queryKey: ['catalogue', user?.id ?? 0, args],
    queryFn: () => call(modelsApi.list, args),
    placeholderData: keepPreviousData,
    retry: false,
    meta: ownReport,
  })
  if (query.isLoadingError && !user) return <Navigate to="/login" replace state={{ from: '/model' }} />
  if (query.isLoadingError) return <CannotLoad onRetry={query.refetch} />
  const rows = query.data?.list ?? []
  const open = (id: string | null) =>
    setParams(
      (before) => {
        if (id === null) before.delete('open')
        else before.set('open', id)
        return before
      },
      { replace: true, preventScrollReset: true },
    )
  const shown = rows.find(({ id }) => id === params.get('open'))
  return (
    <>
      <PageHead title={t('models.title')} count={query.data && t('table.total', { count: query.data.total })}>
        <SearchBox
          label={t('models.search')}
          value={state.searchText}
          onChange={state.setSearchText}
          onSearch={state.search}
        />
      </PageHead>
      <p className="dimmed">{t('models.price')}</p>
      <div className={styles.layout} data-open={shown !== undefined || undefined}>
        <div className={styles.list}>
          <DataTable
            label={t('models.title')}
            columns={modelColumns(t, open)}
            rows={rows}
            rowId={({ id }) => id}
            loading={query.isPending}
            state={state}
            empty={<EmptyState title={t('models.empty')} hint={t('models.emptyHint')} />}
          />
          <ListFoot onRefresh={query.refetch} page={state.page} total={query.data?.total ?? 0} onPage={state.setPage} />
        </div>
        {shown && <ModelPanel key={shown.id} model={shown} onClose={() => open(null)} />}
      </div>
    </>
  )
}
