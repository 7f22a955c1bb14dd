import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { PageHead } from '#web/components/page/page-head.tsx'
import { AsOf } from '#web/features/overview/as-of.tsx'
import { dayName } from '#web/features/overview/day-names.ts'
import { FilterChips } from '#web/features/overview/filter-chips.tsx'
import styles from '#web/features/overview/overview.module.css'
import { PeriodPicker } from '#web/features/overview/period/period-picker.tsx'
import { Breakdown } from '#web/features/overview/tables/breakdown.tsx'
import { LatestRequests } from '#web/features/overview/tables/latest-requests.tsx'
import { UsageChart } from '#web/features/overview/usage-chart.tsx'
import { useOverview } from '#web/features/overview/use-overview.ts'
import { nowSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUsageScope } from '#web/state/wallet.ts'
import { Month } from './month.tsx'
import { Wallet } from './wallet.tsx'

const CacheSaved = lazy(async () => ({ default: (await import('./cache-saved.tsx')).CacheSaved }))

const keys = ['model', 'token', 'group', 'none'] as const
const measures = ['quota', 'requests', 'tokens', 'failed', 'first_byte_p50', 'first_byte_p95'] as const

/** What I have, what I spend, and on what. */
export function UserOverview() {
  const { t } = useTranslation()
  const state = useOverview(false)
  const scope = useUsageScope()
  const rest = { state, scope, admin: false }
  return (
    <>
      <PageHead title={t('pages.overview')} count={<AsOf>{dayName(nowSeconds(), 'long')}</AsOf>}>
        <Link to="/statement" className={styles.link}>
          {t('overview.statement')}
        </Link>
        <PeriodPicker state={state} />
      </PageHead>
      <div className={styles.top}>
        <Wallet />
        <Month />
      </div>
      <FilterChips state={state} scope={scope} keys={keys} />
      <UsageChart state={state} scope={scope} measures={measures} keys={keys} />
      <div className={styles.pair}>
        <Breakdown {...rest} by="model" colored={state.by === 'model' && state.measure === 'quota'} />
        <div>
          <Breakdown {...rest} by="token" colored={state.by === 'token' && state.measure === 'quota'} />
          <Suspense>
            <CacheSaved state={state} scope={scope} />
          </Suspense>
        </div>
      </div>
      <LatestRequests />
    </>
  )
}
