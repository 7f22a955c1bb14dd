import { lazy, Suspense } from 'react'
import { PageHead } from '#web/components/page/page-head.tsx'
import { Breakdown } from '#web/features/overview/tables/breakdown.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { AsOf } from './as-of.tsx'
import { daysFromTo } from './day-names.ts'
import { Figures } from './figures.tsx'
import { FilterChips } from './filter-chips.tsx'
import styles from './overview.module.css'
import { CompareBox, PeriodPicker } from './period/period-picker.tsx'
import { UsageChart } from './usage-chart.tsx'
import { measures, useOverview } from './use-overview.ts'

const ChannelsTable = lazy(async () => ({ default: (await import('./tables/channels-table.tsx')).ChannelsTable }))

const keys = ['model', 'token', 'payer', 'user', 'team', 'channel', 'group', 'none'] as const

/** What is earned and what is left of it, over everyone. */
export function AdminOverview() {
  const { t } = useTranslation()
  const state = useOverview(true)
  const { from, to } = state.period
  const rest = { state, scope: 'all', admin: true }
  return (
    <>
      <PageHead title={t('pages.overview')} count={<AsOf>{daysFromTo(from, to)}</AsOf>}>
        <CompareBox state={state} />
        <PeriodPicker state={state} />
      </PageHead>
      <FilterChips state={state} scope="all" keys={keys} />
      <Figures state={state} />
      <UsageChart state={state} scope="all" measures={measures} keys={keys} />
      <div className={styles.pair}>
        <Breakdown {...rest} by="model" colored={state.by === 'model' && state.measure === 'quota'} />
        <Breakdown {...rest} by="token" colored={state.by === 'token' && state.measure === 'quota'} />
        <Breakdown {...rest} by="payer" colored={state.by === 'payer' && state.measure === 'quota'} />
        <Breakdown {...rest} by="group" colored={state.by === 'group' && state.measure === 'quota'} />
      </div>
      <Suspense>
        <ChannelsTable state={state} />
      </Suspense>
    </>
  )
}
