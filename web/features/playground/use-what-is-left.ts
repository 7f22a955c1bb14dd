import type { Token } from '#shared/api/tokens.ts'
import { formatQuota } from '#shared/quota.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'

/** What is left of the tightest limit of a token, in words; '' for one without a limit. */
export function useWhatIsLeft(): (token: Token) => string {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  return ({ unlimited_quota, remain_quota, budget, budget_used, budget_period }) => {
    const ofBudget = budget > 0 ? Math.max(0, budget - budget_used) : Number.POSITIVE_INFINITY
    const ofQuota = unlimited_quota ? Number.POSITIVE_INFINITY : remain_quota
    const amount = Math.min(ofBudget, ofQuota)
    if (!Number.isFinite(amount)) return ''
    const words = { amount: formatQuota(amount, display) }
    return ofBudget < ofQuota ? t(`playground.leftOf.${budget_period}`, words) : t('playground.left', words)
  }
}
