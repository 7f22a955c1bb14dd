import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { TeamWithMembers } from '#shared/api/teams.ts'
import { manages } from '#shared/teams.ts'
import { Loaded } from '#web/components/page/loaded.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { teamQuery } from '#web/state/queries/team-queries.ts'
import { useUser } from '#web/state/session.tsx'
import { MembersSection } from './members-section.tsx'
import { MoneyIn } from './money-in.tsx'
import { SettingsSection } from './settings-section.tsx'
import { TeamFigures } from './team-figures.tsx'
import { TeamTools } from './team-tools.tsx'
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
  return (
    <>
      <PageHead title={team.name} crumb={{ label: t('teams.title'), to: '/team' }}>
        {isIn && <TeamTools team={team} />}
      </PageHead>
      <TeamFigures team={team} />
      <MembersSection team={team} />
      {isIn && <TokensSection team={team} />}
      {isIn && <MoneyIn teamId={team.id} />}
      {(isManager || isAdmin) && <SettingsSection team={team} />}
    </>
  )
}
