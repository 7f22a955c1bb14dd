import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { PanelPage } from '#web/components/page/side-panel.tsx'
import { ListFoot } from '#web/components/table/list-foot.tsx'
import { useUndo } from '#web/hooks/use-undo.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { historyList } from '#web/state/queries/history-queries.ts'
import { HistoryExport } from './history-export.tsx'
import { HistoryFilters } from './history-filters.tsx'
import { HistoryRows } from './history-rows.tsx'
import { historyPageSize, useHistoryView } from './use-history-filter.ts'

const nothing = { actor: '', target: '', kind: '', period: '', from: '', to: '', page: '' }

const EntryPanel = lazy(async () => ({ default: (await import('./entry-panel.tsx')).EntryPanel }))

/** Who changed what, and the way back. */
export function HistoryPage() {
  const { t } = useTranslation()
  const view = useHistoryView()
  const list = useQuery(historyList(view.filter))
  const undo = useUndo(({ id }) => view.onOpen(id))
  const entries = list.data?.list ?? []
  const total = list.data?.total ?? 0
  const panel = view.open > 0 && (
    <Suspense>
      <EntryPanel
        id={view.open}
        ids={entries.map(({ id }) => id)}
        onOpen={view.onOpen}
        onUndo={(id) => undo.mutateAsync(id).catch(() => {})}
      />
    </Suspense>
  )
  const isEmpty = !list.isPending && entries.length === 0
  return (
    <PanelPage panel={panel}>
      <PageHead title={t('history.title')} count={list.data && t('history.count', { count: total })}>
        <HistoryExport filter={view.filter} total={total} />
      </PageHead>
      <HistoryFilters {...view} actors={list.data?.actors ?? []} />
      {list.isLoadingError && <CannotLoad error={list.error} onRetry={list.refetch} />}
      {isEmpty && !list.isLoadingError && (
        <EmptyState
          title={t(view.isFiltered ? 'history.noMatch' : 'history.nothing')}
          hint={view.isFiltered ? undefined : t('history.nothingHint')}
        >
          {view.isFiltered && <Button onClick={() => view.change(nothing)}>{t('history.clear')}</Button>}
        </EmptyState>
      )}
      {!isEmpty && (
        <HistoryRows
          entries={entries}
          loading={list.isPending}
          open={view.open}
          onOpen={view.onOpen}
          onUndo={(id) => undo.mutateAsync(id).catch(() => {})}
        />
      )}
      <ListFoot
        page={view.page}
        total={total}
        size={historyPageSize}
        onPage={(page) => view.change({ page: String(page) })}
        onRefresh={() => list.refetch()}
      />
    </PanelPage>
  )
}
