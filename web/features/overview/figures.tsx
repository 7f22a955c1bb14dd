import { useQuery } from '@tanstack/react-query'
import type { UsageSummary } from '#shared/api/usage.ts'
import { Figure, FiguresLine, FiguresWaiting } from '#web/components/data/figures.tsx'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { usageSummary } from '#web/state/queries/usage-queries.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { changeOf, formatMeasure, measureOf, percent, seconds } from './numbers.ts'
import styles from './overview.module.css'
import type { Measure, OverviewState } from './use-overview.ts'

/** What is earned, what it cost, and whether it works. */
export function Figures({ state }: { state: OverviewState }) {
  const { t } = useTranslation()
  const summary = useQuery(usageSummary({ scope: 'all', ...state.args, compare_from: state.period.compareFrom }))
  if (summary.isLoadingError) return <CannotLoad onRetry={summary.refetch} />
  if (!summary.data) {
    return (
      <div role="status" aria-label={t('overview.period')}>
        <FiguresWaiting count={7} />
      </div>
    )
  }
  return <FigureLine summary={summary.data} compare={state.compare} />
}

function FigureLine({ summary, compare }: { summary: UsageSummary; compare: boolean }) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const { totals, before } = summary
  const money = (measure: Measure) => formatMeasure(measure, display)(measureOf(measure, totals))
  const change = (measure: Measure) =>
    compare ? (changeOf(measureOf(measure, totals), measureOf(measure, before)) ?? t('common.none')) : ''
  const unknown = totals.cost_unknown ?? 0
  const failedBefore = before.requests === 0 ? 0 : before.failed / before.requests
  return (
    <FiguresLine>
      <Figure label={t('overview.measures.quota')} value={money('quota')} below={change('quota')} />
      <Figure
        label={t('overview.measures.cost')}
        value={money('cost')}
        below={unknown > 0 ? t('overview.costUnknown', { count: unknown }) : change('cost')}
      />
      <Figure
        label={t('overview.measures.profit')}
        value={
          <span data-loss={(totals.profit ?? 0) < 0 || undefined}>
            {money('profit')}{' '}
            {totals.margin != null && <small className={styles.aside}>{percent(totals.margin)}</small>}
          </span>
        }
        below={
          compare && before.margin != null
            ? t('overview.marginWas', { change: change('profit'), margin: percent(before.margin) })
            : t('overview.ofRevenue')
        }
      />
      <Figure label={t('overview.requests')} value={money('requests')} below={change('requests')} />
      <Figure
        label={t('overview.failed')}
        value={percent(summary.error_share, 2)}
        below={compare ? t('overview.wasShare', { share: percent(failedBefore, 2) }) : ''}
      />
      <Figure
        label={t('overview.tokens')}
        value={money('tokens')}
        below={t('overview.cachedShare', { share: percent(summary.cached_share, 0) })}
      />
      <Figure
        label={t('overview.firstByte')}
        value={seconds(summary.first_byte_p50_ms, t('common.none'))}
        below={t('overview.p95', { time: seconds(summary.first_byte_p95_ms, t('common.none')) })}
      />
    </FiguresLine>
  )
}
