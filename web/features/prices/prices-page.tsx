import { Button, NativeSelect } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { type PriceRow, pricesApi } from '#shared/api/prices.ts'
import type { OutputOf } from '#shared/contract.ts'
import { pageSizeDefault } from '#shared/pagination.ts'
import { formatQuota } from '#shared/quota.ts'
import { ChoiceButtons } from '#web/components/form/choice-buttons.tsx'
import { SaveBar } from '#web/components/form/form-page.tsx'
import { LeaveGuard } from '#web/components/form/leave-guard.tsx'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { PanelPage, panelWidth, waysFrom } from '#web/components/page/side-panel.tsx'
import { DataTable } from '#web/components/table/data-table.tsx'
import { ListEmpty } from '#web/components/table/list-empty.tsx'
import { ListFoot } from '#web/components/table/list-foot.tsx'
import { SearchBox } from '#web/components/table/search-box.tsx'
import { useWide } from '#web/hooks/screen/use-wide.ts'
import { useOpenEntry } from '#web/hooks/use-open-entry.ts'
import { useTableState } from '#web/hooks/use-table-state.ts'
import { useUndoToast } from '#web/hooks/use-undo.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { withFields } from '#web/lib/table-address.ts'
import { askAgain } from '#web/state/queries/ask-again.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { GroupLine } from './group-line.tsx'
import { signed } from './price-cells.tsx'
import { joinedCells, priceColumns } from './price-columns.tsx'
import { type PriceDraft, usePriceDraft } from './use-price-draft.ts'

const PricePanel = lazy(async () => ({ default: (await import('./price-panel.tsx')).PricePanel }))

const sources = ['', 'own', 'list', 'none'] as const

/** Which prices are looked at, kept in the address. A search looks among all of them. */
function usePriceView() {
  const state = useTableState()
  const [params, setParams] = useSearchParams()
  const source = sources.find((name) => name === params.get('source')) ?? ''
  const view = params.get('view') === 'all' ? 'all' : 'used'
  return {
    state,
    source,
    view,
    change: (fields: Record<string, string>) =>
      setParams((before) => withFields(before, { ...fields, page: '' }), { replace: true, preventScrollReset: true }),
    ...useOpenEntry(),
  } as const
}

type PriceView = ReturnType<typeof usePriceView>

/** The page of prices that is looked at, and what can be done to it. */
function usePrices({ state, source, view }: Pick<PriceView, 'state' | 'source' | 'view'>) {
  const { t } = useTranslation()
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
  const refresh = () => askAgain(queries, 'price-list')
  const draft = usePriceDraft(refresh)
  const undoable = useUndoToast()
  const back = useMutation({
    mutationFn: (model: string) => call(pricesApi.remove, { model }),
    onSuccess: async (_, model) => {
      await refresh()
      await undoable(t('prices.back', { model }), { kind: 'price', target: model })
    },
  })
  const takeListPrice = ({ model, source }: PriceRow) => {
    draft.takeBack(model)
    if (source === 'own') back.mutate(model)
  }
  return { query, refresh, draft, takeListPrice }
}

export function PricesPage() {
  const { t, language } = useTranslation()
  const { state, source, view, change, opened, open } = usePriceView()
  const wide = useWide()
  const { query, refresh, draft, takeListPrice } = usePrices({ state, source, view })
  if (query.isLoadingError)
    return (
      <>
        <PageHead title={t('prices.title')} />
        <CannotLoad error={query.error} onRetry={query.refetch} />
      </>
    )
  const { counts, list: rows = [] } = query.data ?? {}
  const shown = rows.find(({ model }) => model === opened)
  const panel = shown && (
    <Suspense>
      <PricePanel
        row={shown}
        draft={draft}
        {...waysFrom(rows, shown, ({ model }) => open(model))}
        onClose={() => open('')}
      />
    </Suspense>
  )
  return (
    <PanelPage panel={panel ?? null}>
      <PageHead title={t('prices.title')} count={counts && t('prices.counts', counts)}>
        <PriceFilters view={view} source={source} counts={counts} change={change} />
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
          columns={priceColumns(t, draft, { takeListPrice, open, language })}
          rows={rows}
          joined={joinedCells(t, language, open)}
          isOpen={({ model }) => model === shown?.model}
          taken={wide && shown ? panelWidth : 0}
          rowId={({ model }) => model}
          loading={query.isPending}
          state={state}
          empty={
            <ListEmpty
              state={state}
              list={{ total: query.data?.total ?? 0, failed: false, refresh }}
              title={t('prices.noneUsed')}
              hint={t('prices.noneUsedHint')}
              add={{ label: t('pages.channelAdd'), to: '/channel/add' }}
              clearFilter={source !== '' && (() => change({ source: '' }))}
            />
          }
          isMarked={(row) => draft.isEdited(row)}
        />
        <ListFoot onRefresh={refresh} page={state.page} total={query.data?.total ?? 0} onPage={state.setPage} />
        {draft.count > 0 && <DraftBar draft={draft} />}
      </form>
      <LeaveGuard dirty={draft.count > 0} />
    </PanelPage>
  )
}

interface PriceFiltersProps extends Pick<PriceView, 'view' | 'source' | 'change'> {
  counts: OutputOf<typeof pricesApi.list>['counts'] | undefined
}

/** Which models, and prices from where. */
function PriceFilters({ view, source, counts, change }: PriceFiltersProps) {
  const { t } = useTranslation()
  return (
    <>
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
            {words} {t('prices.effect')} <b>{signed(effect, (quota) => formatQuota(quota, display))}</b>
            {t('prices.stop')}
          </>
        )
      }
      submit={t('prices.save')}
      saving={draft.saving}
      secondary={{ label: t('prices.discard'), run: draft.discard }}
    />
  )
}
