import { lazy, Suspense } from 'react'
import { useNavigate } from 'react-router'
import { bucketCodes, bucketNames, bucketTicks, isLong } from '#web/features/overview/bucket-names.ts'
import { daysFromTo } from '#web/features/overview/day-names.ts'
import { logAddress } from '#web/features/overview/log-address.ts'
import { drawnAs, formatMeasure, isTime } from '#web/features/overview/numbers.ts'
import { type OverviewState, pickOf } from '#web/features/overview/use-overview.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { measured, type SeriesAnswer, together } from './chart-data.ts'
import type { ChartSeries } from './chart-series.ts'
import { EmptyChart } from './empty-chart.tsx'
import { UsagePlot } from './usage-plot.tsx'

const SeriesTable = lazy(async () => ({
  default: (await import('#web/features/overview/tables/series-table.tsx')).SeriesTable,
}))

interface Props {
  state: OverviewState
  label: string
  view: string
  admin: boolean
  data: SeriesAnswer
  /** The same of the period it is compared with. */
  before: SeriesAnswer | undefined
}

/** A measure over time by a kind of thing, as bars or lines, and as a table of the same numbers. */
export function UsageView({ state, label, view, admin, data, before }: Props) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const display = useQuotaDisplay()
  const { measure, by, period } = state
  const { buckets } = data
  const format = formatMeasure(measure, display)
  const named = data.series.map((each, index) => ({
    key: each.key,
    label:
      each.key === 'other' || by === 'none'
        ? t(by === 'none' ? 'overview.all' : 'overview.other')
        : each.label || t(by === 'team' && each.key === '0' ? 'overview.noTeam' : 'overview.unnamed'),
    color: each.key === 'other' ? 'var(--sy-series-0)' : `var(--sy-series-${(index % 7) + 1})`,
    ...measured(measure, each, buckets.length),
    canFilter: each.key !== 'other' && pickOf(by, each) !== null,
  }))
  const all = together(data)
  if ((all.values.requests ?? []).every((value) => value === 0)) return <EmptyChart state={state} />
  // Without a breakdown both times fit into one chart, beside the number of requests.
  const isPair = by === 'none' && isTime(measure)
  const lines = isPair ? pairOf(all, buckets.length) : named
  const summed = isPair ? 'requests' : measure
  const { values: totals, total } = measured(summed, all, buckets.length)
  const totalName = t(isPair ? 'overview.requests' : drawnAs(measure) === 'lines' ? 'overview.all' : 'overview.total')
  const formatTotal = formatMeasure(summed, display)
  const isRunning = period.name !== 'custom'
  const running = t(isLong(period.step) ? 'overview.todayTick' : 'overview.soFar')
  if (view === 'table')
    return (
      <Suspense>
        <SeriesTable
          label={label}
          buckets={bucketCodes(buckets, period.step)}
          names={bucketNames(buckets, period.step, 'short')}
          soFar={isRunning ? t('overview.soFar') : ''}
          series={lines}
          totals={totals}
          total={total}
          {...{ format, totalName, formatTotal }}
        />
      </Suspense>
    )
  const rangeOf = (bucket: number) => ({ from: buckets[bucket] ?? 0, to: buckets[bucket + 1] ?? period.to })
  const then = before?.series[0]
  const shift = period.from - period.compareFrom
  return (
    <UsagePlot
      label={label}
      drawn={drawnAs(measure)}
      names={bucketNames(buckets, period.step, 'long')}
      starts={buckets}
      end={period.to}
      ticks={bucketTicks(buckets, period.step, isRunning ? running : null)}
      series={lines}
      totals={totals}
      total={total}
      compared={
        state.compare && then
          ? {
              ...withTotals(measured(summed, then, buckets.length)),
              names: bucketNames(
                buckets.map((at) => at - shift),
                period.step,
                'long',
              ),
              name: daysFromTo(period.compareFrom, period.to - shift),
            }
          : null
      }
      isLastRunning={isRunning}
      marksChanges={admin}
      {...{ format, totalName, formatTotal }}
      onPick={(key, leaveOut) => {
        const picked = data.series.find((each) => each.key === key)
        const pick = picked && pickOf(by, picked)
        if (pick) state.toggle({ ...pick, leaveOut })
      }}
      onOpen={(bucket) => void navigate(logAddress(state, rangeOf(bucket)))}
      onChanges={(bucket) => {
        const { from, to } = rangeOf(bucket)
        void navigate(`/history?from=${from}&to=${to}`)
      }}
    />
  )
}

const pairOf = (all: Parameters<typeof measured>[1], buckets: number): ChartSeries[] =>
  (['p50', 'p95'] as const).map((name, index) => ({
    key: name,
    label: name,
    color: `var(--sy-series-${index + 1})`,
    ...measured(`first_byte_${name}`, all, buckets),
    canFilter: false,
  }))

const withTotals = ({ values, total }: { values: number[]; total: number }) => ({ totals: values, total })
