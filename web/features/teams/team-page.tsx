import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { TeamWithMembers } from '#shared/api/teams.ts'
import { manages } from '#shared/teams.ts'
import { BudgetBar } from '#web/components/data/budget-bar.tsx'
import { Money } from '#web/components/data/money.tsx'
import { Loaded } from '#web/components/page/loaded.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { teamQuery } from '#web/state/queries/team-queries.ts'
import { useUser } from '#web/state/session.tsx'
import { MembersSection } from './members-section.tsx'
import { MoneySection } from './money-section.tsx'
import { SettingsSection } from './settings-section.tsx'
import styles from './teams.module.css'
import { TokensSection } from './tokens-section.tsx'

export function TeamPage() {
  const { t } = useTranslation()
  const id = Number(useParams().id)
  const query = useQuery(teamQuery(id))
  return (
    <Loaded key={id} query={query} title={t('pages.team')} crumb={{ label: t('teams.title'), to: '/team' }}>
      {(team) => <TeamView team={team} />}
    </Loaded>
  )
}

function TeamView({ team }: { team: TeamWithMembers }) {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  const isIn = team.role !== ''
  const isManager = team.role !== '' && manages(team.role)
  const figures = [
    { name: t('teams.balance'), value: <Money quota={team.quota} /> },
    { name: t('teams.usedOfBudget'), value: <BudgetBar {...team} /> },
    { name: t('teams.usedInAll'), value: <Money quota={team.used_quota} /> },
    { name: t('teams.requests'), value: team.request_count },
    { name: t('teams.members'), value: team.member_count },
  ]
  return (
    <>
      <PageHead title={team.name} crumb={{ label: t('teams.title'), to: '/team' }} />
      <dl className={styles.figures}>
        {figures.map(({ name, value }) => (
          <div key={name} className={styles.figure}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <MembersSection team={team} />
      {isIn && <TokensSection teamId={team.id} />}
      {isIn && <MoneySection teamId={team.id} />}
      {(isManager || isAdmin) && <SettingsSection key={team.quota} team={team} />}
    </>
  )
}
