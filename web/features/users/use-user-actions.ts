import { type User, type userActions, usersApi } from '#shared/api/users.ts'
import type { Page } from '#shared/pagination.ts'
import { isRoot } from '#shared/roles.ts'
import { userStatus } from '#shared/statuses.ts'
import type { RowAction } from '#web/components/table/row-action.ts'
import type { List } from '#web/hooks/use-list.ts'
import { call } from '#web/lib/api.ts'
import { reporting } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'

type Action = (typeof userActions)[number]

/** What can be done to a user in the list; nothing to a super admin. */
export function useUserActions(list: Pick<List<User, Page<User>>, 'patch' | 'remove'>) {
  const { t } = useTranslation()
  const manage = async ({ id, username }: User, action: Action) => {
    const { status, role } = await reporting(call(usersApi.manage, { username, action }))
    if (action === 'delete') list.remove(id)
    else list.patch(id, { status, role })
    toast.success(t('common.done'))
  }
  return (user: User): RowAction[] => {
    const enabled = user.status === userStatus.activated
    const actions: RowAction[] = [
      { label: t('users.promote'), run: () => manage(user, 'promote') },
      { label: t('users.demote'), run: () => manage(user, 'demote') },
      {
        label: enabled ? t('common.disable') : t('common.enable'),
        widest: [t('common.disable'), t('common.enable')],
        run: () => manage(user, enabled ? 'disable' : 'enable'),
      },
      { label: t('common.edit'), icon: 'edit', to: `/user/edit/${user.id}` },
      {
        label: t('common.delete'),
        icon: 'delete',
        run: () => manage(user, 'delete'),
        confirm: {
          title: t('users.deleteTitle', { name: user.username }),
          consequence: t('users.deleteText'),
          verb: t('common.delete'),
        },
      },
    ]
    return actions.map((action) => ({ ...action, disabled: isRoot(user.role) }))
  }
}
