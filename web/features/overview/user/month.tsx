import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Figure } from '#web/components/data/figures.tsx'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { dayName, shortDay } from '#web/features/overview/day-names.ts'
import { money } from '#web/features/overview/numbers.ts'
import styles from '#web/features/overview/overview.module.css'
import { browserZone, monthStart } from '#web/features/overview/period/period.ts'
import { ViewSwitch } from '#web/features/overview/view-switch.tsx'
import { WaitingChart } from '#web/features/overview/waiting-chart.tsx'
import { formatDate, nowSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { readStored, store } from '#web/lib/storage.ts'
import { selfQuery } from '#web/state/queries/self-queries.ts'
import { usageSeries, usageSummary } from '#web/state/queries/usage-queries.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { useUsageScope, useWalletTeam } from '#web/state/wallet.ts'
import { hasBudget } from './budget.ts'

const SeriesTable = lazy(async () => ({
  default: (await import('#web/features/overview/tables/series-table.tsx')).SeriesTable,
}))
const BurnUp = lazy(async () => ({ default: (await import('#web/features/overview/chart/burn-up.tsx')).BurnUp }))

const daysOfMonth = (from: number): number[] => {
  const first = new Date(from * 1000)
  const count = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate()
  return Array.from(
    { length: count },
    (_, day) => new Date(first.getFullYear(), first.getMonth(), day + 1).getTime() / 1000,
  )
}

/** The month that runs: spent, forecast, today, and the running total as a line. */
export function Month() {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const [view, setView] = useState(readStored('usage_view') === 'table' ? 'table' : 'chart')
  const from = monthStart(nowSeconds())
  const asked = { from, to: Math.ceil(nowSeconds() / 900) * 900, scope: useUsageScope(), time_zone: browserZone() }
  const self = useQuery(selfQuery).data
  const holder = useWalletTeam() ?? self
  const summary = useQuery(usageSummary(asked))
  const series = useQuery(usageSeries({ ...asked, step: 'day' }))
  const days = daysOfMonth(from)
  const lastDay = shortDay(days.at(-1) ?? from)
  const daily = series.data?.series[0]?.values.quota ?? []
  let sum = 0
  const spent = daily.map((value) => {
    sum += value
    return sum
  })
  const shown = (value: number) => money(Math.round(value), display)
  const forecast = summary.data?.forecast ?? null
  const budget = holder && hasBudget(holder) && holder.budget_period === 'month' ? holder.budget : 0
  const change = (next: 'chart' | 'table') => {
    store('usage_view', next)
    setView(next)
  }
  if (series.isLoadingError) return <CannotLoad onRetry={series.refetch} />
  return (
    <div className={styles.month}>
      <div className={styles.sectionHead}>
        <dl className={styles.small}>
          <Figure label={t('overview.spentMonth')} value={shown(sum)} />
          {forecast && (
            <Figure
              label={t('overview.forecastFor', { date: lastDay })}
              value={
                <>
                  {shown(forecast.quota)}{' '}
                  <small className={styles.aside}>± {shown((forecast.high - forecast.low) / 2)}</small>
                </>
              }
            />
          )}
          <Figure label={t('overview.today')} value={shown(daily.at(-1) ?? 0)} />
        </dl>
        <ViewSwitch view={view} onChange={change} />
      </div>
      {view === 'table' ? (
        <Suspense>
          <SeriesTable
            label={t('overview.month')}
            buckets={days.slice(0, daily.length).map(formatDate)}
            names={days.slice(0, daily.length).map((day) => dayName(day, 'short'))}
            soFar={t('overview.soFar')}
            series={[{ key: 'quota', label: t('overview.measures.spent'), values: daily, total: sum }]}
            totals={daily}
            total={sum}
            format={shown}
            totalName={t('overview.total')}
            formatTotal={shown}
          />
        </Suspense>
      ) : (
        <Suspense fallback={<WaitingChart />}>
          <BurnUp
            label={t('overview.month')}
            days={days.map(shortDay)}
            spent={spent}
            forecast={forecast}
            budget={budget}
            words={{
              budget: t('overview.budgetLine', { budget: shown(budget) }),
              now: t('overview.now'),
              forecast: t('overview.forecast', { date: lastDay }),
            }}
            format={shown}
          />
        </Suspense>
      )}
    </div>
  )
}
