import { Button, NativeSelect } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { pricesApi } from '#shared/api/prices.ts'
import { pageSizeDefault } from '#shared/pagination.ts'
import { SaveBar } from '#web/components/form/form-page.tsx'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { DataTable } from '#web/components/table/data-table.tsx'
import { ListFoot } from '#web/components/table/list-foot.tsx'
import { SearchBox } from '#web/components/table/search-box.tsx'
import { useTableState } from '#web/hooks/use-table-state.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { priceColumns } from './price-columns.tsx'
import { usePriceDraft } from './use-price-draft.ts'

const sources = ['', 'own', 'list', 'none'] as const

export function PricesPage() {
  const { t } = useTranslation()
  const state = useTableState()
  const [params, setParams] = useSearchParams()
  const source = sources.find((name) => name === params.get('source')) ?? ''
  const args = { page: state.page, pagesize: pageSizeDefault, keyword: state.keyword, source }
  const query = useQuery({
    queryKey: ['price-list', args],
    queryFn: () => call(pricesApi.list, args),
    placeholderData: keepPreviousData,
  })
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: ['price-list'] })
  const draft = usePriceDraft(refresh)
  const back = useMutation({
    mutationFn: (model: string) => call(pricesApi.remove, { model }),
    onSuccess: (_, model) => {
      toast.success(t('prices.back', { model }))
      void refresh()
    },
  })
  if (query.isLoadingError) return <CannotLoad onRetry={query.refetch} />
  const total = query.data?.total ?? 0
  return (
    <>
      <PageHead title={t('prices.title')} count={query.data && t('table.total', { count: total })}>
        <NativeSelect
          aria-label={t('prices.source')}
          value={source}
          onChange={(event) => setParams(event.currentTarget.value ? { source: event.currentTarget.value } : {})}
          data={sources.map((name) => ({
            value: name,
            label: name === '' ? t('prices.all') : t(`prices.sources.${name}`),
          }))}
        />
        <Button component={Link} to="/price/sync">
          {t('prices.sync')}
        </Button>
      </PageHead>
      <SearchBox
        label={t('prices.search')}
        value={state.searchText}
        onChange={state.setSearchText}
        onSearch={state.search}
      />
      <p className="dimmed">{t('prices.unit')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          draft.save()
        }}
      >
        <DataTable
          label={t('prices.title')}
          columns={priceColumns(t, draft, (model) => back.mutate(model))}
          rows={query.data?.list ?? []}
          rowId={({ model }) => model}
          loading={query.isPending}
          state={state}
          empty={<EmptyState title={t('prices.empty')} />}
        />
        {draft.count > 0 ? (
          <SaveBar
            message={t('prices.unsavedCount', { count: draft.count })}
            submit={t('prices.save')}
            saving={draft.saving}
            secondary={{ label: t('prices.discard'), run: draft.discard }}
          />
        ) : (
          <ListFoot onRefresh={refresh} page={state.page} total={total} onPage={state.setPage} />
        )}
      </form>
    </>
  )
}
