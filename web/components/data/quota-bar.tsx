import { compactCount, formatQuota } from '#shared/quota.ts'
import { useQuotaWords } from '#web/hooks/use-quota-words.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './money.module.css'

interface Props {
  remaining: number
  total: number
  unlimited?: boolean
  /** Gray: the token cannot be used. */
  idle?: boolean
}

const lowShare = 0.2

/** How much of a budget is left, in figures and as a line. */
export function QuotaBar({ remaining, total, unlimited = false, idle = false }: Props) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const words = useQuotaWords()
  if (unlimited) return <span className="dimmed">{t('common.unlimited')}</span>
  const share = total > 0 ? Math.min(1, Math.max(0, remaining / total)) : 0
  const counts = t('table.amountOf', { amount: compactCount(remaining), total: compactCount(total) })
  const unit = t('table.quotaUnit')
  return (
    <div className={styles.bar} title={`${counts} ${unit}`}>
      <div className={styles.figures}>
        <span>{formatQuota(remaining, display)}</span>
        <span className={styles.beside}>{t('table.ofTotal', { total: words(total) })}</span>
      </div>
      <QuotaTrack share={share} idle={idle} />
    </div>
  )
}

/** The same as one short text: money where the operator shows money. */
export function QuotaLeft({ remaining, total, unlimited = false }: Omit<Props, 'idle'>) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const words = useQuotaWords()
  if (unlimited) return t('common.unlimited')
  return t('table.amountOf', { amount: formatQuota(remaining, display), total: words(total) })
}

export function QuotaTrack({ share, idle }: { share: number; idle: boolean }) {
  return (
    <div className={styles.track} aria-hidden="true">
      <div
        className={styles.fill}
        style={{ width: `${share * 100}%` }}
        data-low={share < lowShare || undefined}
        data-idle={idle || undefined}
      />
    </div>
  )
}
