import { NativeSelect, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import type { UsageBy } from '#shared/api/usage.ts'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { SeriesTable } from '#web/features/overview/tables/series-table.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { readStored, store } from '#web/lib/storage.ts'
import { usageSeries } from '#web/state/queries/usage-queries.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { bucketNames, bucketTicks } from './bucket-names.ts'
import { EmptyChart } from './empty-chart.tsx'
import { logAddress } from './log-address.ts'
import { formatMeasure, measureOf, orderOf } from './numbers.ts'
import styles from './overview.module.css'
import { fieldOf, type Measure, type OverviewState } from './use-overview.ts'
import { ViewSwitch } from './view-switch.tsx'

const StackedBars = lazy(async () => ({ default: (await import('./chart/stacked-bars.tsx')).StackedBars }))

interface Props {
  state: OverviewState
  scope: string
  measures: readonly Measure[]
  keys: readonly UsageBy[]
}

/** A measure over time by a kind of thing, as bars and as a table of the same numbers. */
export function UsageChart({ state, scope, measures, keys }: Props) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const display = useQuotaDisplay()
  const [view, setView] = useState(readStored('usage_view') === 'table' ? 'table' : 'chart')
  const { measure, by, period } = state
  const asked = { scope, ...state.args, step: period.step }
  const series = useQuery(usageSeries({ ...asked, by, order: orderOf(measure) }))
  const shifted = { ...asked, from: period.compareFrom, to: period.compareFrom + (period.to - period.from) }
  const before = useQuery({ ...usageSeries(shifted), enabled: state.compare })
  const format = formatMeasure(measure, display)
  const nameOf = (each: Measure) => t(`overview.measures.${each === 'quota' && scope === 'self' ? 'spent' : each}`)
  const label = t('overview.chartLabel', { measure: nameOf(measure), by: t(`overview.by.${by}`) })
  const change = (next: string) => {
    store('usage_view', next)
    setView(next)
  }
  const lines = (series.data?.series ?? []).map((each, index) => ({
    key: each.key,
    label:
      each.key === 'other'
        ? t('overview.other')
        : each.label || t(by === 'team' ? 'overview.noTeam' : 'overview.unnamed'),
    color: each.key === 'other' ? 'var(--sy-series-0)' : `var(--sy-series-${(index % 7) + 1})`,
    values: (series.data?.buckets ?? []).map((_, at) =>
      measureOf(measure, Object.fromEntries(Object.entries(each.values).map(([name, list]) => [name, list[at] ?? 0]))),
    ),
    canFilter: each.key !== 'other' && fieldOf[by] !== undefined && (by === 'channel' || each.label !== ''),
  }))
  const buckets = series.data?.buckets ?? []
  const names = bucketNames(buckets, period.step)
  const pick = (key: string, leaveOut: boolean) => {
    const field = fieldOf[by]
    const line = lines.find((each) => each.key === key)
    if (field && line) state.toggle({ field, value: by === 'channel' ? key : line.label, leaveOut })
  }
  const openLog = (bucket: number) => {
    const from = buckets[bucket] ?? 0
    const to = (buckets[bucket + 1] ?? period.to) - 1
    void navigate(logAddress(state, { from, to: to + 1 }))
  }
  const compared = before.data?.series[0]?.values
  const comparedTotals = compared
    ? buckets.map((_, at) =>
        measureOf(measure, Object.fromEntries(Object.entries(compared).map(([name, list]) => [name, list[at] ?? 0]))),
      )
    : null
  return (
    <div className={styles.section}>
      <div className={styles.sectionHead}>
        <h2 className={styles.menus}>
          <NativeSelect
            aria-label={t('overview.measure')}
            value={measure}
            data={measures.map((each) => ({ value: each, label: nameOf(each) }))}
            onChange={(event) => state.set('measure', event.currentTarget.value)}
          />
          <span className="dimmed">{t('overview.byWord')}</span>
          <NativeSelect
            aria-label={t('overview.byWord')}
            value={by}
            data={keys.map((each) => ({ value: each, label: t(`overview.by.${each}`) }))}
            onChange={(event) => state.set('by', event.currentTarget.value)}
          />
        </h2>
        {state.compare && <span className={styles.hint}>{t('overview.tickHint')}</span>}
        <ViewSwitch view={view} onChange={change} />
      </div>
      {series.isLoadingError ? (
        <CannotLoad onRetry={series.refetch} />
      ) : !series.data ? (
        <Skeleton height={248} />
      ) : lines.every(({ values }) => values.every((value) => value === 0)) && measure !== 'failed' ? (
        <EmptyChart state={state} />
      ) : view === 'table' ? (
        <SeriesTable label={label} buckets={names} series={lines} format={format} />
      ) : (
        <Suspense fallback={<Skeleton height={248} />}>
          <StackedBars
            label={label}
            buckets={names}
            ticks={bucketTicks(buckets, period.step)}
            series={lines}
            compared={state.compare ? comparedTotals : null}
            isLastRunning={period.name !== 'custom'}
            format={format}
            totalLabel={t('overview.total')}
            onPick={pick}
            onOpen={openLog}
          />
        </Suspense>
      )}
    </div>
  )
}
