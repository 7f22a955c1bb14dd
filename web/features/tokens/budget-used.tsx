import type { BudgetFields } from '#shared/budget.ts'
import { useQuotaWords } from '#web/hooks/use-quota-words.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** What is used of a budget, as one short text. */
export function BudgetUsed({ budget, budget_used: used }: BudgetFields) {
  const { t } = useTranslation()
  const words = useQuotaWords()
  if (used >= budget) return t('tokens.budgetUsedUp')
  return t('tokens.budgetUsedOf', { used: words(used), total: words(budget) })
}
