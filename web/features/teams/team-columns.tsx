import { Link } from 'react-router'
import type { Team } from '#shared/api/teams.ts'
import { BudgetBar } from '#web/components/data/budget-bar.tsx'
import { Money } from '#web/components/data/money.tsx'
import type { Column } from '#web/components/table/column.ts'
import type { TFunction } from '#web/lib/i18n.ts'
import styles from './teams.module.css'

export const teamColumns = (t: TFunction): Column<Team>[] => [
  {
    id: 'name',
    header: t('teams.name'),
    cell: ({ id, name }) => (
      <Link to={`/team/${id}`} className={styles.link}>
        <b className="name">{name}</b>
      </Link>
    ),
    sortBy: ({ name }) => name,
    title: ({ name }) => name,
    phone: 'title',
  },
  {
    id: 'role',
    header: t('teams.role'),
    cell: ({ role }) => (role === '' ? '–' : t(`teams.roles.${role}`)),
    sortBy: ({ role }) => role,
    width: 110,
    phone: 'state',
  },
  {
    id: 'quota',
    header: t('teams.balance'),
    cell: ({ quota }) => <Money quota={quota} />,
    sortBy: ({ quota }) => quota,
    width: 160,
    phone: 'meta',
  },
  {
    id: 'budget',
    header: t('teams.usedOfBudget'),
    cell: (team) => <BudgetBar {...team} />,
    sortBy: ({ budget_used }) => budget_used,
    width: 220,
    phone: 'hidden',
    drop: 1,
  },
  {
    id: 'members',
    header: t('teams.members'),
    cell: ({ member_count }) => member_count,
    sortBy: ({ member_count }) => member_count,
    width: 100,
    align: 'end',
    phone: 'badge',
    phoneCell: ({ member_count }) => t('teams.memberCount', { count: member_count }),
    drop: 2,
  },
]
