import { NativeSelect } from '@mantine/core'
import { useNavigate } from 'react-router'
import { type TeamMember, type TeamWithMembers, teamsApi } from '#shared/api/teams.ts'
import { manages, type TeamRole, teamRoles } from '#shared/teams.ts'
import { BudgetBar } from '#web/components/data/budget-bar.tsx'
import { InlineNumber } from '#web/components/form/inline-number.tsx'
import { ConfirmButton } from '#web/components/overlay/confirm-button.tsx'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUser } from '#web/state/session.tsx'
import { InvitesSection } from './invites-section.tsx'
import styles from './teams.module.css'
import { useTeamChange } from './use-team-change.ts'

export function MembersSection({ team }: { team: TeamWithMembers }) {
  const { t } = useTranslation()
  const isManager = team.role !== '' && manages(team.role)
  return (
    <section className={styles.section} aria-labelledby="team-members">
      <h2 id="team-members">{t('teams.members')}</h2>
      <ul className={styles.rows}>
        {team.members.map((member) => (
          <MemberRow key={member.user_id} team={team} member={member} />
        ))}
      </ul>
      {isManager && <InvitesSection teamId={team.id} mayInviteManagers={team.role === 'owner'} />}
    </section>
  )
}

/** The owner rules over everyone else, a manager over plain members. */
const rulesOver = (own: TeamRole | '', other: TeamRole): boolean =>
  own === 'owner' ? other !== 'owner' : own === 'manager' && other === 'member'

function MemberRow({ team, member }: { team: TeamWithMembers; member: TeamMember }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { user } = useUser()
  const isSelf = member.user_id === user?.id
  const { id } = team
  const { user_id, username } = member
  const change = useTeamChange((fields: { role?: TeamRole; budget?: number }) =>
    call(teamsApi.changeMember, { id, user_id, ...fields }),
  )
  const remove = useTeamChange(
    () => call(teamsApi.removeMember, { id, user_id }),
    () => isSelf && void navigate('/team'),
  )
  const rules = !isSelf && rulesOver(team.role, member.role)
  const question = {
    title: isSelf ? t('teams.leaveTitle') : t('teams.removeTitle', { name: username }),
    consequence: t('teams.tokensEnd'),
    verb: isSelf ? t('teams.leave') : t('teams.remove'),
  }
  return (
    <li className={styles.row}>
      <span className={styles.name}>
        <b>{username}</b> {member.display_name !== username && <span className="dimmed">{member.display_name}</span>}
      </span>
      {rules && team.role === 'owner' ? (
        <NativeSelect
          aria-label={t('teams.roleOf', { name: username })}
          data={teamRoles.map((value) => ({ value, label: t(`teams.roles.${value}`) }))}
          value={member.role}
          onChange={(event) => change.mutate({ role: event.currentTarget.value as TeamRole })}
        />
      ) : (
        <span>{t(`teams.roles.${member.role}`)}</span>
      )}
      <BudgetBar {...member} />
      <span>
        {rules && (
          <InlineNumber
            label={t('teams.budgetOf', { name: username })}
            value={member.budget}
            min={0}
            onSave={(budget) => change.mutateAsync({ budget })}
          />
        )}
        {(rules || (isSelf && member.role !== 'owner')) && (
          <ConfirmButton question={question} onConfirm={() => remove.mutateAsync(undefined)}>
            {question.verb}
          </ConfirmButton>
        )}
        {isSelf && member.role === 'owner' && <span className="dimmed">{t('teams.you')}</span>}
      </span>
    </li>
  )
}
