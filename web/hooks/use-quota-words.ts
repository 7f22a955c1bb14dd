import { quotaPair } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'

/** Writes an amount as money, or with currency off as quota with its unit. */
export function useQuotaWords(): (quota: number) => string {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  return (quota) => quotaPair(quota, display, t('table.quotaUnit')).main
}
