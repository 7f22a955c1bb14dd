import { Badge, NativeSelect } from '@mantine/core'
import type { TeamMember } from '#shared/api/teams.ts'
import { type BudgetPeriod, budgetPeriods } from '#shared/budget.ts'
import type { TeamRole } from '#shared/teams.ts'
import { BudgetBar } from '#web/components/data/budget-bar.tsx'
import { Dot } from '#web/components/data/state-dot.tsx'
import { InlineQuota } from '#web/components/form/inline-quota.tsx'
import type { Column } from '#web/components/table/column.ts'
import { RowActions } from '#web/components/table/row-actions.tsx'
import { formatCount, formatDate, formatMinute } from '#web/lib/format.ts'
import type { TFunction } from '#web/lib/i18n.ts'
import type { MemberOrInvite } from './member-rows.ts'
import styles from './teams.module.css'
import type { Activity, useActivity } from './use-activity.ts'
import type { MemberActions } from './use-member-actions.ts'

const roleColors: Readonly<Record<TeamRole, string>> = { owner: 'violet', manager: 'petrol', member: 'gray' }

const second = (words: string) => <span className={styles.second}>{words}</span>

/** The amount that may be spent in a period, edited in its cell. */
function budgetCell(t: TFunction, actions: MemberActions, member: TeamMember) {
  const { username } = member
  if (!actions.mayManage(member)) return <span className="dimmed">{t('common.none')}</span>
  return (
    <span className={styles.budget}>
      <InlineQuota
        label={t('teams.budgetOf', { name: username })}
        value={member.budget}
        onSave={(budget) => actions.budget(member, budget)}
      />
      <NativeSelect
        size="xs"
        aria-label={t('teams.periodOf', { name: username })}
        value={member.budget_period}
        data={budgetPeriods.map((value) => ({ value, label: t(`forms.periods.${value}`) }))}
        onChange={(event) => actions.period(member, event.currentTarget.value as BudgetPeriod)}
      />
    </span>
  )
}

/** How much members use the team, and when they did last. */
const activityColumns = (
  t: TFunction,
  activity: (userId: number) => Activity,
): ReadonlyArray<Column<MemberOrInvite>> => [
  {
    id: 'requests',
    header: t('teams.requests'),
    cell: ({ member }) => (member ? formatCount(activity(member.user_id).requests) : t('common.none')),
    align: 'end',
    width: 84,
    phone: 'hidden',
    drop: 2,
  },
  {
    id: 'active',
    header: t('teams.lastActive'),
    cell: ({ member }) => {
      const lastAt = member ? activity(member.user_id).lastAt : 0
      return <span className="dimmed">{lastAt === 0 ? t('common.none') : formatMinute(lastAt)}</span>
    },
    width: 128,
    phone: 'hidden',
    drop: 1,
  },
]

export const memberColumns = (
  t: TFunction,
  actions: MemberActions,
  { selfId, inCurrency, activity }: { selfId: number; inCurrency: boolean; activity: ReturnType<typeof useActivity> },
): ReadonlyArray<Column<MemberOrInvite>> => [
  {
    id: 'member',
    header: t('teams.member'),
    cell: ({ member, invite }) =>
      member ? (
        <span className={styles.who}>
          <b className="name">{member.username}</b>
          {second(
            [member.display_name, member.user_id === selfId && t('teams.you')].filter(Boolean).join(t('common.comma')),
          )}
        </span>
      ) : (
        <span className={styles.who}>
          <b className="name">{t('teams.invited')}</b>
          {second(t('teams.linkUntil', { time: formatDate(invite.expires_at) }))}
        </span>
      ),
    title: ({ member, invite }) =>
      member ? member.username : t('teams.linkUntil', { time: formatMinute(invite.expires_at) }),
    phone: 'title',
  },
  {
    id: 'role',
    header: t('teams.role'),
    cell: ({ member, invite }) => {
      const role = member?.role ?? invite?.role ?? 'member'
      return <Badge color={roleColors[role]}>{t(`teams.roles.${role}`)}</Badge>
    },
    width: 100,
    phone: 'state',
  },
  {
    id: 'budget',
    header: t(inCurrency ? 'teams.budgetInDollars' : 'teams.budget'),
    cell: ({ member }) => member && budgetCell(t, actions, member),
    width: 250,
    phone: 'meta',
  },
  {
    id: 'used',
    header: t('teams.usedOfBudget'),
    cell: ({ member }) =>
      member ? (
        <BudgetBar {...member} />
      ) : (
        <span className={styles.state}>
          <Dot look={{ dot: 'ring', color: 'gray' }} /> {t('teams.isInvited')}
        </span>
      ),
    width: 206,
    least: 170,
    phone: 'badge',
    phoneCell: ({ member }) => member && <BudgetBar {...member} />,
  },
  ...(activity ? activityColumns(t, activity) : []),
  {
    id: 'actions',
    header: t('table.actions'),
    cell: (row) => {
      const list = actions.of(row)
      return list.length === 0 ? null : <RowActions name={row.member?.username ?? t('teams.invited')} actions={list} />
    },
    width: 280,
    least: 250,
    align: 'end',
    phone: 'actions',
  },
]
