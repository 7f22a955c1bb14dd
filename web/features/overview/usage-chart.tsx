import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { UsageBy } from '#shared/api/usage.ts'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { readStored, store } from '#web/lib/storage.ts'
import { usageSeries } from '#web/state/queries/usage-queries.ts'
import { drawnAs, isTime, orderOf } from './numbers.ts'
import styles from './overview.module.css'
import type { Measure, OverviewState } from './use-overview.ts'
import { ViewSwitch } from './view-switch.tsx'
import { WaitingChart } from './waiting-chart.tsx'

const load = () => import('./chart/usage-view.tsx')
const UsageView = lazy(async () => ({ default: (await load()).UsageView }))

interface Props {
  state: OverviewState
  scope: string
  measures: readonly Measure[]
  keys: readonly UsageBy[]
}

/** A measure over time by a kind of thing; what draws it is fetched while its numbers are. */
export function UsageChart({ state, scope, measures, keys }: Props) {
  const { t } = useTranslation()
  const [view, setView] = useState(readStored('usage_view') === 'table' ? 'table' : 'chart')
  const { measure, by, period } = state
  const admin = scope === 'all'
  const asked = {
    scope,
    ...state.args,
    step: period.step,
    ...(isTime(measure) ? { first_byte: 'true' as const } : {}),
  }
  const series = useQuery(usageSeries({ ...asked, by, order: orderOf(measure) }))
  const shifted = { ...asked, from: period.compareFrom, to: period.compareFrom + (period.to - period.from) }
  const before = useQuery({ ...usageSeries(shifted), enabled: state.compare })
  const nameOf = (each: Measure) => t(`overview.measures.${each === 'quota' && !admin ? 'spent' : each}`)
  const label =
    by === 'none' ? nameOf(measure) : t('overview.chartLabel', { measure: nameOf(measure), by: t(`overview.by.${by}`) })
  const change = (next: string) => {
    store('usage_view', next)
    setView(next)
  }
  useEffect(() => void load().catch(() => undefined), [])
  const hints = [
    state.compare && drawnAs(measure) === 'bars' && t('overview.tickHint'),
    admin && t('overview.squareHint'),
  ].filter(Boolean)
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
          <span className="dimmed">{t(by === 'none' ? 'overview.ofWord' : 'overview.byWord')}</span>
          <NativeSelect
            aria-label={t('overview.byWord')}
            value={by}
            data={keys.map((each) => ({ value: each, label: t(`overview.by.${each}`) }))}
            onChange={(event) => state.set('by', event.currentTarget.value)}
          />
        </h2>
        <span className={`${styles.hint} ${styles.chartHint}`}>{hints.join('; ')}</span>
        <ViewSwitch view={view} onChange={change} />
      </div>
      {series.isLoadingError ? (
        <CannotLoad onRetry={series.refetch} />
      ) : (
        <Suspense fallback={<WaitingChart />}>
          {series.data ? (
            <UsageView {...{ state, label, view, admin }} data={series.data} before={before.data} />
          ) : (
            <WaitingChart />
          )}
        </Suspense>
      )}
    </div>
  )
}
