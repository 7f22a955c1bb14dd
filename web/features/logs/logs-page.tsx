import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Log } from '#shared/api/logs.ts'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { EmptyPage } from '#web/components/page/empty-page.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { DataTable } from '#web/components/table/data-table.tsx'
import { ListFoot } from '#web/components/table/list-foot.tsx'
import { usePhone } from '#web/hooks/use-phone.ts'
import { useTableState } from '#web/hooks/use-table-state.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { logList } from '#web/state/queries/log-queries.ts'
import { useUser } from '#web/state/session.tsx'
import { useWalletTeam } from '#web/state/wallet.ts'
import { logColumns } from './columns.tsx'
import { FilterForm } from './filter-form.tsx'
import { FilterTabs } from './filter-tabs.tsx'
import { countSet } from './log-filter.ts'
import { LogTools } from './log-tools.tsx'
import { Presets } from './presets.tsx'
import { TotalConsumed } from './total-consumed.tsx'
import { useLive } from './use-live.ts'
import { type FilterState, useLogFilter } from './use-log-filter.ts'

const newestFirst = { column: 'time', descending: true }

export function LogsPage() {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  const state = useTableState()
  const filters = useLogFilter()
  const team = useWalletTeam()
  const filter = { ...filters.filter, team_id: filters.filter.team_id || (team?.id ?? 0) }
  const logs = useQuery(logList(isAdmin, filter, state.page))
  const total = logs.data?.total ?? 0
  const list = logs.data?.list ?? []
  const [following, setFollowing] = useState(false)
  const newest = Math.max(0, ...list.map(({ id }) => id))
  const live = useLive(following, isAdmin, filter, newest)
  const columns = useMemo(() => logColumns(t, isAdmin), [t, isAdmin])
  const whyEmpty = () => {
    if (logs.isLoadingError) return <CannotLoad onRetry={logs.refetch} />
    return total > 0 ? <EmptyPage onFirst={() => state.setPage(1)} /> : <NoRows {...filters} />
  }
  return (
    <>
      <PageHead title={t('logs.title')}>
        <TotalConsumed filter={filter} />
        <LogTools filter={filter} live={following} interrupted={live.interrupted} onLive={setFollowing} />
      </PageHead>
      <FilterTabs filter={filters.named} />
      <Filters {...filters} />
      <Presets {...filters} />
      <DataTable
        label={t('logs.title')}
        columns={columns}
        rows={following ? joined(live.rows, list) : list}
        rowId={(row) => row.id}
        loading={logs.isPending}
        state={{ sort: state.sort ?? newestFirst, toggleSort: state.toggleSort }}
        empty={whyEmpty()}
      />
      <ListFoot page={state.page} total={total} onPage={state.setPage} onRefresh={() => logs.refetch()} />
    </>
  )
}

/** A row the list has learned of meanwhile is shown once. */
function joined(live: readonly Log[], list: readonly Log[]): Log[] {
  const known = new Set(live.map(({ id }) => id))
  return [...live, ...list.filter(({ id }) => !known.has(id))]
}

/** On a phone the filters fold behind a button that says how many are set. */
function Filters(filters: FilterState) {
  const { t } = useTranslation()
  const phone = usePhone()
  const [open, setOpen] = useState(false)
  const count = countSet(filters.named)
  if (!phone) return <FilterForm {...filters} />
  return (
    <>
      <Button fullWidth mb={10} aria-expanded={open} onClick={() => setOpen(!open)}>
        {count === 0 ? t('logs.filters') : t('logs.filtersSet', { count })}
      </Button>
      {open && <FilterForm {...filters} />}
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
