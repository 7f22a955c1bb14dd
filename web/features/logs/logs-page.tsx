import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Log } from '#shared/api/logs.ts'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { EmptyPage } from '#web/components/page/empty-page.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { PanelPage, panelWidth } from '#web/components/page/side-panel.tsx'
import { DataTable } from '#web/components/table/data-table.tsx'
import { ListFoot } from '#web/components/table/list-foot.tsx'
import { usePhone } from '#web/hooks/screen/use-phone.ts'
import { useWide } from '#web/hooks/screen/use-wide.ts'
import { useTableState } from '#web/hooks/use-table-state.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { readStored, store } from '#web/lib/storage.ts'
import { logList } from '#web/state/queries/log-queries.ts'
import { useUser } from '#web/state/session.tsx'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { useWalletTeam } from '#web/state/wallet.ts'
import { logColumns } from './columns.tsx'
import { compactColumns } from './compact-columns.tsx'
import { FilterChips } from './filter-chips.tsx'
import { FilterForm } from './filter-form.tsx'
import { FilterTabs } from './filter-tabs.tsx'
import { countSet } from './log-filter.ts'
import { openKey } from './log-opener.tsx'
import { LogTools } from './log-tools.tsx'
import { Presets } from './presets.tsx'
import { isRunning } from './running-rows.tsx'
import { TotalConsumed } from './total-consumed.tsx'
import { useFollowing } from './use-following.ts'
import { useLive } from './use-live.ts'
import { type FilterState, useLogFilter } from './use-log-filter.ts'
import { useOpening } from './use-opening.ts'

const LiveNotices = lazy(async () => ({ default: (await import('./live-notices.tsx')).LiveNotices }))
const RequestPanel = lazy(async () => ({ default: (await import('./panel/request-panel.tsx')).RequestPanel }))

const newestFirst = { column: 'time', descending: true }

export function LogsPage() {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  const display = useQuotaDisplay()
  const state = useTableState()
  const filters = useLogFilter()
  const opening = useOpening()
  const team = useWalletTeam()
  const filter = { ...filters.filter, team_id: filters.filter.team_id || (team?.id ?? 0) }
  const logs = useQuery(logList(isAdmin, filter, state.page))
  const total = logs.data?.total ?? 0
  const list = logs.data?.list ?? []
  const following = useFollowing(opening.open !== '')
  const start = Math.max(0, ...list.map(({ id }) => id))
  const live = useLive({ ...following, everyone: isAdmin, filter, start })
  const isBeside = useWide() && opening.open !== ''
  const columns = isBeside ? compactColumns(t, opening, display) : logColumns(t, isAdmin, opening)
  const rows = following.on ? joined(live.running, live.rows, list) : list
  const ended = rows.filter((row) => !isRunning(row))
  const whyEmpty = () => {
    if (logs.isLoadingError) return <CannotLoad onRetry={logs.refetch} />
    return total > 0 ? <EmptyPage onFirst={() => state.setPage(1)} /> : <NoRows {...filters} />
  }
  const panel = opening.open !== '' && (
    <Suspense>
      <RequestPanel
        open={opening.open}
        row={rows.find((row) => openKey(row) === opening.open)}
        onClose={opening.close}
        onUp={opening.step(ended, -1)}
        onDown={opening.step(ended, 1)}
      />
    </Suspense>
  )
  return (
    <PanelPage panel={panel}>
      <PageHead title={t('logs.title')}>
        <TotalConsumed filter={filter} />
        <LogTools filter={filter} live={following.on} pace={live.pace} onLive={following.follow} />
      </PageHead>
      <FilterTabs filter={filters.named} />
      <Filters {...filters} />
      <Presets {...filters} />
      {following.on && (
        <Suspense>
          <LiveNotices
            live={live}
            paused={following.paused}
            onGoOn={() => {
              opening.close()
              live.show()
              following.goOn()
            }}
          />
        </Suspense>
      )}
      <DataTable
        label={t('logs.title')}
        columns={columns}
        rows={rows}
        rowId={(row) => row.id || row.request_id}
        loading={logs.isPending}
        state={{ sort: state.sort ?? newestFirst, toggleSort: state.toggleSort }}
        empty={whyEmpty()}
        isOpen={(row) => openKey(row) === opening.open}
        taken={isBeside ? panelWidth : 0}
      />
      <ListFoot
        page={state.page}
        total={total}
        isLowerBound={logs.data?.total_is_lower_bound}
        onPage={state.setPage}
        onRefresh={() => logs.refetch()}
      />
    </PanelPage>
  )
}

/** What runs stands on top; what the list has learned of meanwhile is shown once. */
function joined(running: readonly Log[], live: readonly Log[], list: readonly Log[]): Log[] {
  const known = new Set(live.map(({ id }) => id))
  const ended = [...live, ...list.filter(({ id }) => !known.has(id))]
  const settled = new Set(ended.map((row) => row.request_id))
  return [...running.filter((row) => !settled.has(row.request_id)), ...ended]
}

/** What is set, and all fields at once: folded on a phone, and wherever somebody folded them. */
function Filters(filters: FilterState) {
  const phone = usePhone()
  const [isOpen, setOpen] = useState(readStored('log_fields') ?? !phone)
  const turn = () => {
    store('log_fields', !isOpen)
    setOpen(!isOpen)
  }
  return (
    <>
      <FilterChips {...filters} isOpen={isOpen} onFields={turn} />
      {isOpen && <FilterForm {...filters} />}
    </>
  )
}

function NoRows({ named, isDay, clear, since }: FilterState) {
  const { t } = useTranslation()
  if (countSet(named) === 0 && !isDay) return <EmptyState title={t('logs.empty')} hint={t('logs.emptyHint')} />
  if (countSet(named) === 0)
    return (
      <EmptyState title={t('logs.emptyDay')} hint={t('logs.emptyHint')}>
        <Button onClick={() => since(0)}>{t('logs.showAll')}</Button>
      </EmptyState>
    )
  return (
    <EmptyState title={t('logs.noMatch')}>
      <Button onClick={clear}>{t('logs.reset')}</Button>
    </EmptyState>
  )
}
