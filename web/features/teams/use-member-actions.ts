import { useNavigate } from 'react-router'
import { type TeamMember, type TeamWithMembers, teamsApi } from '#shared/api/teams.ts'
import type { BudgetPeriod } from '#shared/budget.ts'
import { outranks, type TeamRole, teamRoles } from '#shared/teams.ts'
import type { RowAction } from '#web/components/table/row-action.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUser } from '#web/state/session.tsx'
import type { MemberOrInvite } from './member-rows.ts'
import { useTeamChange } from './use-team-change.ts'

export interface MemberActions {
  /** Whether the reader may change this member's budget and role, and remove them. */
  readonly mayManage: (member: TeamMember) => boolean
  readonly budget: (member: TeamMember, budget: number) => Promise<unknown>
  readonly period: (member: TeamMember, budget_period: BudgetPeriod) => void
  readonly of: (row: MemberOrInvite) => RowAction[]
}

interface Change {
  readonly user_id: number
  readonly role?: TeamRole
  readonly budget?: number
  readonly budget_period?: BudgetPeriod
}

/** What can be done to the members and invitations of a team. */
export function useMemberActions(team: TeamWithMembers): MemberActions {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { user } = useUser()
  const { id } = team
  const change = useTeamChange((fields: Change) => call(teamsApi.changeMember, { id, ...fields }))
  const remove = useTeamChange(
    (user_id: number) => call(teamsApi.removeMember, { id, user_id }),
    (_, user_id) => user_id === user?.id && void navigate('/team'),
  )
  const endInvite = useTeamChange((code_id: number) => call(teamsApi.endInvite, { id, code_id }))
  const isSelf = ({ user_id }: TeamMember) => user_id === user?.id
  const mayManage = (member: TeamMember) => !isSelf(member) && outranks(team.role, member.role)
  const ofMember = (member: TeamMember): RowAction[] => {
    const { user_id, username } = member
    const own = isSelf(member)
    const mayRemove = mayManage(member) || (own && member.role !== 'owner')
    const verb = own ? t('teams.leave') : t('teams.remove')
    return [
      ...(mayManage(member) && team.role === 'owner'
        ? teamRoles
            .filter((role) => role !== member.role)
            .map((role) => ({
              label: t(`teams.make.${role}`),
              run: () => change.mutateAsync({ user_id, role }),
              ...(role === 'owner'
                ? {
                    confirm: {
                      title: t('teams.passOnTitle', { name: username }),
                      consequence: t('teams.passOnText'),
                      verb: t('teams.make.owner'),
                    },
                  }
                : {}),
            }))
        : []),
      ...(mayRemove
        ? [
            {
              label: verb,
              run: () => remove.mutateAsync(user_id),
              confirm: {
                title: own ? t('teams.leaveTitle') : t('teams.removeTitle', { name: username }),
                consequence: t('teams.tokensEnd'),
                verb,
              },
            },
          ]
        : []),
    ]
  }
  return {
    mayManage,
    budget: ({ user_id }, budget) => change.mutateAsync({ user_id, budget }),
    period: ({ user_id }, budget_period) => change.mutate({ user_id, budget_period }),
    of: (row) =>
      row.member
        ? ofMember(row.member)
        : [{ label: t('teams.endInvite'), run: () => row.invite && endInvite.mutateAsync(row.invite.id) }],
  }
}
