import type { User } from '#shared/api/users.ts'
import { GroupBadges, GroupsInRoom, RoleBadge } from '#web/components/data/badges.tsx'
import { State } from '#web/components/data/state-dot.tsx'
import type { Column } from '#web/components/table/column.ts'
import type { RowAction } from '#web/components/table/row-action.ts'
import { RowActions } from '#web/components/table/row-actions.tsx'
import type { TFunction } from '#web/lib/i18n.ts'
import { ShortStatistics, Statistics } from './statistics.tsx'
import styles from './users.module.css'

/** A display name that only repeats the username says nothing. */
const detailsOf = ({ username, display_name, email }: User): string =>
  [display_name === username ? '' : display_name, email].filter(Boolean).join(' · ')

export const userColumns = (t: TFunction, actions: (user: User) => readonly RowAction[]): Column<User>[] => [
  {
    id: 'id',
    header: t('users.id'),
    cell: ({ id }) => <span className="mono dimmed">{id}</span>,
    sortBy: ({ id }) => id,
    width: 64,
    least: 44,
    phone: 'hidden',
    drop: 2,
  },
  {
    id: 'username',
    header: t('users.username'),
    cell: (user) => (
      <span className={styles.person}>
        <b className="name">{user.username}</b>
        {detailsOf(user) && <span className={styles.beside}>{detailsOf(user)}</span>}
      </span>
    ),
    sortBy: ({ username }) => username,
    title: (user) => `${user.username} ${detailsOf(user)}`.trim(),
    phone: 'title',
    phoneCell: ({ username }) => username,
  },
  {
    id: 'group',
    header: t('users.group'),
    cell: ({ group }) => <GroupsInRoom groups={group} />,
    sortBy: ({ group }) => group || 'default',
    title: ({ group }) => group || 'default',
    width: 150,
    least: 96,
    phone: 'badge',
    phoneCell: ({ group }) => <GroupBadges groups={group} but="default" max={1} />,
    drop: 1,
  },
  {
    id: 'quota',
    header: t('users.statistics'),
    cell: (user) => <Statistics user={user} />,
    sortBy: ({ quota }) => quota,
    width: 244,
    least: 212,
    phone: 'meta',
    phoneCell: (user) => <ShortStatistics user={user} />,
  },
  {
    id: 'role',
    header: t('users.role'),
    cell: ({ role }) => <RoleBadge role={role} />,
    sortBy: ({ role }) => role,
    width: 110,
    least: 100,
    phone: 'badge',
    drop: 3,
  },
  {
    id: 'status',
    header: t('users.status'),
    cell: ({ status }) => <State kind="user" status={status} />,
    sortBy: ({ status }) => status,
    width: 112,
    least: 98,
    phone: 'state',
  },
  {
    id: 'actions',
    header: t('table.actions'),
    cell: (user) => <RowActions name={user.username} actions={actions(user)} />,
    align: 'end',
    width: 272,
    phone: 'actions',
  },
]
