import { Skeleton } from '@mantine/core'
import type { RouteFigures, SimulatedRouting } from '#shared/api/routing.ts'
import { formatQuota } from '#shared/quota.ts'
import { formatSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { formatShare, withMinus } from '#web/lib/usd.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './simulate.module.css'

const marginOf = ({ quota, profit }: RouteFigures): number | null => (quota > 0 ? profit / quota : null)

/** What the whole draft would have meant. */
export function SimulatedFigures({ simulated }: { simulated: SimulatedRouting | undefined }) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  if (!simulated) return <Skeleton className={styles.figuresWaiting} mb={12} />
  const { now, then } = simulated.total
  const money = (field: 'profit' | 'cost' | 'quota') => {
    const change = then[field] - now[field]
    const value = withMinus(formatQuota(now[field], display))
    const words = `${change > 0 ? '+' : '−'}${formatQuota(Math.abs(change), display)}`
    return {
      value: withMinus(formatQuota(then[field], display)),
      below: change === 0 ? t('routing.was', { value }) : t('routing.changeWas', { change: words, value }),
    }
  }
  const { failed, first_byte_ms: firstByte } = simulated
  const seconds = (ms: number | null) => (ms === null ? '–' : formatSeconds(ms))
  const figures = [
    { label: t('routing.profit'), ...money('profit'), loss: then.profit < 0 },
    { label: t('routing.costs'), ...money('cost'), loss: false },
    { label: t('routing.revenue'), ...money('quota'), loss: false },
    {
      label: t('routing.margin'),
      value: formatShare(marginOf(then)),
      below: t('routing.was', { value: formatShare(marginOf(now)) }),
      loss: false,
    },
    {
      label: t('routing.failed'),
      value: formatShare(failed.then),
      below: t('routing.was', { value: formatShare(failed.now) }),
      loss: false,
    },
    {
      label: t('routing.firstByte'),
      value: seconds(firstByte.then),
      below: t('routing.was', { value: seconds(firstByte.now) }),
      loss: false,
    },
  ]
  return (
    <dl className={styles.figures} aria-label={t('routing.figures')}>
      {figures.map(({ label, value, below, loss }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={styles.value} data-loss={loss || undefined}>
            {value}
          </dd>
          <dd className={styles.small}>{below}</dd>
        </div>
      ))}
    </dl>
  )
}
