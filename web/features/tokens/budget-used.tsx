import type { BudgetFields } from '#shared/budget.ts'
import { formatQuota } from '#shared/quota.ts'
import { useQuotaWords } from '#web/hooks/use-quota-words.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'

/** What is used of a budget, as one short text. */
export function BudgetUsed({ budget, budget_used: used }: BudgetFields) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const words = useQuotaWords()
  if (used >= budget) return t('tokens.budgetUsedUp')
  return t('tokens.budgetUsedOf', { used: formatQuota(used, display), total: words(budget) })
}
