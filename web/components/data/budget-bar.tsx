import type { BudgetFields } from '#shared/budget.ts'
import { formatQuota } from '#shared/quota.ts'
import { useQuotaWords } from '#web/hooks/use-quota-words.ts'
import { formatTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './money.module.css'

const highShare = 0.8

/** What the period that runs has used of a budget, in figures and as a line, and when it begins anew. */
export function BudgetBar({ budget, budget_used: used, budget_resets_at: resets }: BudgetFields) {
  const { t } = useTranslation()
  const words = useQuotaWords()
  const display = useQuotaDisplay()
  if (budget === 0) {
    return (
      <span>
        {words(used)} <span className={styles.beside}>{t('table.noBudget')}</span>
      </span>
    )
  }
  const total = words(budget)
  const isUsedUp = used >= budget
  return (
    <div className={styles.bar} title={t('forms.budgetResets', { time: formatTime(resets) })}>
      <div className={styles.figures}>
        <span data-used-up={isUsedUp || undefined}>
          {isUsedUp ? t('table.usedUp') : t('table.percentUsed', { percent: Math.floor((used / budget) * 100) })}
        </span>
        <span className={styles.beside}>{t('table.amountOf', { amount: formatQuota(used, display), total })}</span>
      </div>
      <UsedTrack share={used / budget} />
    </div>
  )
}

/** How much of a budget is used: orange when little is left. */
export function UsedTrack({ share }: { share: number }) {
  const width = `${Math.min(1, share) * 100}%`
  return (
    <div className={styles.track} aria-hidden="true">
      <div className={styles.fill} style={{ width }} data-low={share >= highShare || undefined} />
    </div>
  )
}
