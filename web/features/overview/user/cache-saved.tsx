import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { CatalogueModel } from '#shared/api/models.ts'
import { modelsApi } from '#shared/api/models.ts'
import type { UsageRow } from '#shared/api/usage.ts'
import { money } from '#web/features/overview/numbers.ts'
import styles from '#web/features/overview/overview.module.css'
import type { OverviewState } from '#web/features/overview/use-overview.ts'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { usageTable } from '#web/state/queries/usage-queries.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'

const million = 1_000_000

/** What cached input would have cost more at full price, in dollars, by the prices of now. */
export function savedBy(rows: readonly UsageRow[], models: readonly CatalogueModel[]): number {
  return rows.reduce((sum, { label, cached_tokens }) => {
    const price = models.find(({ id }) => id === label)?.price
    if (!price || price.input_usd === null || price.cached_usd === null) return sum
    return sum + (cached_tokens * Math.max(0, price.input_usd - price.cached_usd)) / million
  }, 0)
}

/** Nothing is said where nothing was saved. */
export function CacheSaved({ state, scope }: { state: OverviewState; scope: string }) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const used = useQuery(usageTable({ scope, ...state.args, by: 'model', order: 'cached_tokens', pagesize: 100 }))
  const asked = { page: 1, pagesize: 100 }
  const models = useQuery({
    queryKey: ['models', 'prices', asked],
    queryFn: () => call(modelsApi.list, asked),
    enabled: (used.data?.list ?? []).some(({ cached_tokens }) => cached_tokens > 0),
    staleTime: 60_000,
    meta: ownReport,
  })
  const saved = savedBy(used.data?.list ?? [], models.data?.list ?? [])
  if (saved <= 0) return null
  return (
    <p className={styles.saved}>
      <IconInfoCircle size={16} stroke={1.6} aria-hidden />
      <span>{t('overview.cacheSaved', { amount: money(Math.round(saved * display.quotaPerUnit), display) })}</span>
    </p>
  )
}
