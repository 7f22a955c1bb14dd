import type { Redemption } from '#shared/api/redemptions.ts'
import { Money } from '#web/components/data/money.tsx'
import { State } from '#web/components/data/state-dot.tsx'
import type { Column } from '#web/components/table/column.ts'
import type { RowAction } from '#web/components/table/row-action.ts'
import { RowActions } from '#web/components/table/row-actions.tsx'
import { formatMinute, formatTime } from '#web/lib/format.ts'
import type { TFunction } from '#web/lib/i18n.ts'

export const redemptionColumns = (
  t: TFunction,
  actions: (code: Redemption) => readonly RowAction[],
): Column<Redemption>[] => [
  {
    id: 'id',
    header: t('redemptions.id'),
    cell: ({ id }) => <span className="mono dimmed">{id}</span>,
    sortBy: ({ id }) => id,
    width: 72,
    phone: 'hidden',
  },
  {
    id: 'name',
    header: t('redemptions.name'),
    cell: ({ name }) => <b className="name">{name}</b>,
    sortBy: ({ name }) => name,
    title: ({ name }) => name,
    phone: 'title',
  },
  {
    id: 'status',
    header: t('redemptions.status'),
    cell: ({ status }) => <State kind="redemption" status={status} />,
    sortBy: ({ status }) => status,
    width: 120,
    phone: 'state',
  },
  {
    id: 'quota',
    header: t('redemptions.quota'),
    cell: ({ quota }) => <Money quota={quota} />,
    sortBy: ({ quota }) => quota,
    align: 'end',
    width: 150,
    phone: 'meta',
  },
  {
    id: 'created',
    header: t('redemptions.created'),
    cell: ({ created_time }) => formatMinute(created_time),
    sortBy: ({ created_time }) => created_time,
    title: ({ created_time }) => formatTime(created_time),
    width: 160,
    phone: 'meta',
    drop: 4,
  },
  {
    id: 'redeemed',
    header: t('redemptions.redeemed'),
    cell: ({ redeemed_time, redeemed_by_name: name }) =>
      redeemed_time > 0 ? (
        <>
          {formatMinute(redeemed_time)} {name !== '' && <span className="dimmed">{name}</span>}
        </>
      ) : (
        <span className="dimmed">{t('common.none')}</span>
      ),
    sortBy: ({ redeemed_time }) => redeemed_time,
    title: ({ redeemed_time, redeemed_by_name: name }) =>
      redeemed_time > 0
        ? [formatTime(redeemed_time), name && t('redemptions.by', { name })].filter(Boolean).join(t('common.comma'))
        : t('redemptions.notRedeemed'),
    width: 230,
    least: 160,
    phone: 'hidden',
    drop: 3,
  },
  {
    id: 'expires',
    header: t('redemptions.expires'),
    cell: ({ expired_time: ends }) =>
      ends > 0 ? formatMinute(ends) : <span className="dimmed">{t('common.never')}</span>,
    sortBy: ({ expired_time: ends }) => (ends > 0 ? ends : Number.POSITIVE_INFINITY),
    title: ({ expired_time: ends }) => (ends > 0 ? formatTime(ends) : t('common.never')),
    width: 150,
    least: 132,
    phone: 'hidden',
    drop: 2,
  },
  {
    id: 'actions',
    header: t('table.actions'),
    cell: (code) => <RowActions name={code.name} actions={actions(code)} />,
    align: 'end',
    width: 200,
    phone: 'actions',
  },
]
