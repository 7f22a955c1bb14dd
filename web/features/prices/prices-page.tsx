import { Button, NativeSelect } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { type PriceRow, pricesApi } from '#shared/api/prices.ts'
import { pageSizeDefault } from '#shared/pagination.ts'
import { formatQuota } from '#shared/quota.ts'
import { ChoiceButtons } from '#web/components/form/choice-buttons.tsx'
import { SaveBar } from '#web/components/form/form-page.tsx'
import { LeaveGuard } from '#web/components/form/leave-guard.tsx'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { DataTable } from '#web/components/table/data-table.tsx'
import { ListFoot } from '#web/components/table/list-foot.tsx'
import { SearchBox } from '#web/components/table/search-box.tsx'
import { useTableState } from '#web/hooks/use-table-state.ts'
import { useUndoToast } from '#web/hooks/use-undo.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { withFields } from '#web/lib/table-address.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { GroupLine } from './group-line.tsx'
import { signed } from './price-cells.tsx'
import { priceColumns } from './price-columns.tsx'
import { type PriceDraft, usePriceDraft } from './use-price-draft.ts'

const PriceSheet = lazy(async () => ({ default: (await import('./price-sheet.tsx')).PriceSheet }))

const sources = ['', 'own', 'list', 'none'] as const

/** Which prices are looked at, kept in the address. A search looks among all of them. */
function usePriceView() {
  const state = useTableState()
  const [params, setParams] = useSearchParams()
  const source = sources.find((name) => name === params.get('source')) ?? ''
  const view = params.get('view') === 'all' ? 'all' : 'used'
  const change = (fields: Record<string, string>) =>
    setParams((before) => withFields(before, { ...fields, page: '' }), { replace: true, preventScrollReset: true })
  return { state, source, view, change } as const
}

export function PricesPage() {
  const { t } = useTranslation()
  const { state, source, view, change } = usePriceView()
  const [opened, setOpened] = useState<PriceRow | null>(null)
  const isNarrowed = view === 'used' && state.keyword === '' && source === ''
  const args = {
    page: state.page,
    pagesize: pageSizeDefault,
    keyword: state.keyword,
    source,
    view: isNarrowed ? ('used' as const) : ('' as const),
  }
  const query = useQuery({
    queryKey: ['price-list', args],
    queryFn: () => call(pricesApi.list, args),
    placeholderData: keepPreviousData,
  })
  const queries = useQueryClient()
  const refresh = () =>
    Promise.all([['price-list'], ['attention']].map((queryKey) => queries.invalidateQueries({ queryKey })))
  const draft = usePriceDraft(refresh)
  const undoable = useUndoToast()
  const back = useMutation({
    mutationFn: (model: string) => call(pricesApi.remove, { model }),
    onSuccess: async (_, model) => {
      await refresh()
      await undoable(t('prices.back', { model }), { kind: 'price', target: model })
    },
  })
  if (query.isLoadingError) return <CannotLoad onRetry={query.refetch} />
  const counts = query.data?.counts
  return (
    <>
      <PageHead title={t('prices.title')} count={counts && t('prices.counts', counts)}>
        <ChoiceButtons
          label={t('prices.view')}
          value={view}
          onChange={(next) => change({ view: next === 'all' ? 'all' : '' })}
          choices={[
            { value: 'used', label: `${t('prices.used')} ${counts?.used ?? ''}`.trim() },
            { value: 'all', label: `${t('prices.all')} ${counts ? counts.priced + counts.unpriced : ''}`.trim() },
          ]}
        />
        <NativeSelect
          aria-label={t('prices.source')}
          value={source}
          onChange={(event) => change({ source: event.currentTarget.value })}
          data={sources.map((name) => ({
            value: name,
            label: name === '' ? t('prices.anySource') : t(`prices.sources.${name}`),
          }))}
        />
        <SearchBox
          label={t('prices.search')}
          value={state.searchText}
          onChange={state.setSearchText}
          onSearch={state.search}
          width={200}
        />
        <Button component={Link} to="/price/sync">
          {t('prices.sync')}
        </Button>
      </PageHead>
      <GroupLine />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (draft.count > 0) draft.save()
        }}
      >
        <DataTable
          label={t('prices.title')}
          columns={priceColumns(t, draft, { useList: (model) => back.mutate(model), open: setOpened })}
          rows={query.data?.list ?? []}
          rowId={({ model }) => model}
          loading={query.isPending}
          state={state}
          empty={<EmptyState title={t(isNarrowed ? 'prices.noneUsed' : 'prices.empty')} />}
          isMarked={(row) => draft.isEdited(row)}
        />
        <ListFoot onRefresh={refresh} page={state.page} total={query.data?.total ?? 0} onPage={state.setPage} />
        {draft.count > 0 && <DraftBar draft={draft} />}
      </form>
      <Suspense>{opened && <PriceSheet row={opened} draft={draft} onClose={() => setOpened(null)} />}</Suspense>
      <LeaveGuard dirty={draft.count > 0} />
    </>
  )
}

function DraftBar({ draft }: { draft: PriceDraft }) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const effect = Math.round(draft.effect)
  const words = t('prices.unsavedCount', { count: draft.count })
  return (
    <SaveBar
      wide
      errors={draft.wrong}
      message={
        effect === 0 ? (
          words
        ) : (
          <>
            {words}. {t('prices.effect')} <b>{signed(effect, (quota) => formatQuota(quota, display))}</b>.
          </>
        )
      }
      submit={t('prices.save')}
      saving={draft.saving}
      secondary={{ label: t('prices.discard'), run: draft.discard }}
    />
  )
}
