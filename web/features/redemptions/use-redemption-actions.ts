import { type Redemption, redemptionsApi } from '#shared/api/redemptions.ts'
import type { Page } from '#shared/pagination.ts'
import { redemptionStatus } from '#shared/statuses.ts'
import type { RowAction } from '#web/components/table/row-action.ts'
import { useCopy } from '#web/hooks/use-copy.ts'
import type { List } from '#web/hooks/use-list.ts'
import type { TableState } from '#web/hooks/use-table-state.ts'
import { useUndoToast } from '#web/hooks/use-undo.ts'
import { call } from '#web/lib/api.ts'
import { reporting } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'

/** What can be done to a redemption code in the list. */
export function useRedemptionActions(
  list: Pick<List<Redemption, Page<Redemption>>, 'patch' | 'remove'>,
  state: Pick<TableState, 'setSearchText'>,
) {
  const { t } = useTranslation()
  const copy = useCopy(state)
  const undoable = useUndoToast()

  const toggle = async ({ id, status }: Redemption) => {
    const wanted = status === redemptionStatus.unused ? redemptionStatus.disabled : redemptionStatus.unused
    const after = await reporting(call(redemptionsApi.update, { id, status: wanted, status_only: true }))
    list.patch(id, { status: after.status })
    toast.success(t('common.done'))
  }
  const remove = async ({ id }: Redemption) => {
    await reporting(call(redemptionsApi.remove, { id }))
    list.remove(id)
    await undoable(t('common.done'), { kind: 'redemption', target: id })
  }

  return (code: Redemption): RowAction[] => [
    { label: t('common.copy'), run: () => copy(code.key) },
    {
      label: code.status === redemptionStatus.unused ? t('common.disable') : t('common.enable'),
      widest: [t('common.disable'), t('common.enable')],
      run: () => toggle(code),
      disabled: code.status === redemptionStatus.used,
    },
    { label: t('common.edit'), icon: 'edit', to: `/redemption/edit/${code.id}` },
    {
      label: t('common.delete'),
      icon: 'delete',
      run: () => remove(code),
      confirm: {
        title: t('redemptions.deleteTitle', { name: code.name }),
        consequence: t('redemptions.deleteText'),
        verb: t('common.delete'),
      },
    },
  ]
}
