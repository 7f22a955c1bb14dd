import { useQuery } from '@tanstack/react-query'
import { tokensApi } from '#shared/api/tokens.ts'
import { usageApi } from '#shared/api/usage.ts'
import { formatQuota } from '#shared/quota.ts'
import { UsedTrack } from '#web/components/data/budget-bar.tsx'
import { dayAndTime, dayName, shortDay } from '#web/features/overview/day-names.ts'
import { percent } from '#web/features/overview/numbers.ts'
import styles from '#web/features/overview/overview.module.css'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'
import { formatClock } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { selfQuery } from '#web/state/queries/self-queries.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { useUsageScope, useWalletTeam } from '#web/state/wallet.ts'
import { hasBudget } from './budget.ts'

/** As short as the period allows. */
const beginning = {
  day: formatClock,
  week: (at: number) => dayName(at, 'short'),
  month: shortDay,
} as const

/** What is used of each budget, and whether somebody was warned. */
export function Budgets() {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const self = useQuery(selfQuery).data
  const team = useWalletTeam()
  const asked = { pagesize: 100, ...(team ? { team_id: team.id } : {}) }
  const tokens = useQuery({ queryKey: ['tokens', 'budgets', asked], queryFn: () => call(tokensApi.list, asked) })
  const holder = team ?? self
  const scope = useUsageScope()
  const warnings = useQuery({
    queryKey: ['usage', 'warnings', scope],
    queryFn: () => call(usageApi.warnings, { scope }),
    meta: ownReport,
  })
  const kind = team ? 'team' : 'user'
  const own = holder ? [{ ...holder, kind, name: t('overview.allTokens') }] : []
  const ofTokens = (tokens.data?.list ?? []).map((token) => ({ ...token, kind: 'token' }))
  const all = [...own, ...ofTokens].filter(hasBudget)
  const warnedAt = (which: string, id: number) =>
    warnings.data?.find((warning) => warning.kind === which && warning.id === id)?.at
  if (all.length === 0) return null
  return (
    <>
      <h2>{t('overview.budgets')}</h2>
      {all.map(({ kind: which, id, name, budget, budget_used, budget_period, budget_resets_at }) => (
        <div key={`${which} ${id}`} className={styles.budget}>
          <div className={styles.sectionHead}>
            <strong>
              {name}
              {t('common.comma')}
              {t(`overview.budgetPeriods.${budget_period}`)}
            </strong>
            <span>
              {t('overview.budgetOf', {
                used: formatQuota(budget_used, display),
                budget: formatQuota(budget, display),
              })}
            </span>
          </div>
          <UsedTrack share={budget_used / budget} />
          <div className={styles.sectionHead} data-small>
            <span>
              {[
                t('overview.budgetUsed', { share: percent(budget_used / budget, 0) }),
                ...[warnedAt(which, id) ?? []].flat().map((at) => t('overview.warned', { time: dayAndTime(at) })),
              ].join(t('common.comma'))}
            </span>
            <span>{t('overview.budgetResets', { date: beginning[budget_period](budget_resets_at) })}</span>
          </div>
        </div>
      ))}
    </>
  )
}
