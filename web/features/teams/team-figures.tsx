import { useQuery } from '@tanstack/react-query'
import type { TeamWithMembers } from '#shared/api/teams.ts'
import { formatQuota } from '#shared/quota.ts'
import { manages } from '#shared/teams.ts'
import { UsedTrack } from '#web/components/data/budget-bar.tsx'
import { Figure, FiguresLine } from '#web/components/data/figures.tsx'
import { ownReport } from '#web/lib/failures.ts'
import { formatCount, formatDate } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { teamInvitesQuery } from '#web/state/queries/team-queries.ts'
import { usageSummary } from '#web/state/queries/usage-queries.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './teams.module.css'
import { thisMonth } from './this-month.ts'

/** What the team has, has spent, and will have spent at the end of the month. */
export function TeamFigures({ team }: { team: TeamWithMembers }) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const isManager = team.role !== '' && manages(team.role)
  const { from, to, end } = thisMonth()
  const usage = useQuery({
    ...usageSummary({ scope: `team:${team.id}`, from, to }),
    enabled: isManager,
    meta: ownReport,
  })
  const { data: invites = [] } = useQuery({ ...teamInvitesQuery(team.id), enabled: isManager, meta: ownReport })
  const money = (quota: number) => formatQuota(quota, display)
  const forecast = usage.data?.forecast
  return (
    <FiguresLine>
      <Figure
        label={t('teams.balance')}
        value={money(team.quota)}
        below={t('teams.usedInAll', { amount: money(team.used_quota) })}
      />
      <Figure
        label={t('teams.usedOfBudget')}
        value={
          <>
            {money(team.budget_used)}{' '}
            {team.budget > 0 && (
              <small className={styles.of}>{t('teams.ofBudget', { amount: money(team.budget) })}</small>
            )}
          </>
        }
        below={
          team.budget > 0 ? (
            <>
              <UsedTrack share={team.budget_used / team.budget} />
              {t('forms.budgetResets', { time: formatDate(team.budget_resets_at) })}
            </>
          ) : (
            t('table.noBudget')
          )
        }
      />
      {forecast && <Figure label={t('teams.forecast', { date: formatDate(end - 1) })} value={money(forecast.quota)} />}
      <Figure
        label={t('teams.requests')}
        value={formatCount(team.request_count)}
        below={
          usage.data && usage.data.totals.requests > 0
            ? t('teams.failed', { percent: (usage.data.error_share * 100).toFixed(2) })
            : ''
        }
      />
      <Figure
        label={t('teams.members')}
        value={formatCount(team.member_count)}
        below={invites.length > 0 ? t('teams.invitedCount', { count: invites.length }) : ''}
      />
    </FiguresLine>
  )
}
