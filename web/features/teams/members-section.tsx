import { useQuery } from '@tanstack/react-query'
import type { TeamWithMembers } from '#shared/api/teams.ts'
import { manages } from '#shared/teams.ts'
import { DataTable, unsorted } from '#web/components/table/data-table.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { teamInvitesQuery } from '#web/state/queries/team-queries.ts'
import { useUser } from '#web/state/session.tsx'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { memberColumns } from './member-columns.tsx'
import { type MemberOrInvite, rowKey } from './member-rows.ts'
import styles from './teams.module.css'
import { useActivity } from './use-activity.ts'
import { useMemberActions } from './use-member-actions.ts'

/** Who is in the team, with what each may spend and has spent; open invitations stand below them. */
export function MembersSection({ team }: { team: TeamWithMembers }) {
  const { t } = useTranslation()
  const { user } = useUser()
  const isManager = team.role !== '' && manages(team.role)
  const { data: invites = [] } = useQuery({ ...teamInvitesQuery(team.id), enabled: isManager })
  const { inCurrency } = useQuotaDisplay()
  const actions = useMemberActions(team)
  const activity = useActivity(team.id, isManager)
  const rows: MemberOrInvite[] = [
    ...team.members.map((member) => ({ member })),
    ...invites.map((invite) => ({ invite })),
  ]
  return (
    <section className={styles.section} aria-labelledby="team-members">
      <div className={styles.sectionHead}>
        <h2 id="team-members">{t('teams.members')}</h2>
        <span className="dimmed">{t('teams.membersHint')}</span>
      </div>
      <DataTable
        label={t('teams.members')}
        columns={memberColumns(t, actions, { selfId: user?.id ?? 0, inCurrency, activity })}
        rows={rows}
        rowId={rowKey}
        loading={false}
        state={unsorted}
        empty={null}
      />
    </section>
  )
}
