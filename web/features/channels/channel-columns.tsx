import type { Channel } from '#shared/api/channels.ts'
import { channelTypeOf } from '#shared/channel-types.ts'
import { GroupBadges, GroupsInRoom } from '#web/components/data/badges.tsx'
import { ChannelTypeName } from '#web/components/data/channel-type.tsx'
import { State } from '#web/components/data/state-dot.tsx'
import { InlineNumber } from '#web/components/form/inline-number.tsx'
import type { Column } from '#web/components/table/column.ts'
import { RowActions } from '#web/components/table/row-actions.tsx'
import type { TFunction } from '#web/lib/i18n.ts'
import type { Resting } from '#web/state/queries/resting-queries.ts'
import { BalanceCell } from './balance-cell.tsx'
import { errorText, NameCell, StatusCell, shareTitle, TestResult, testText } from './channel-cells.tsx'
import type { ChannelActions } from './use-channel-actions.ts'

export function channelColumns(t: TFunction, actions: ChannelActions, resting: Resting): Column<Channel>[] {
  return [...identityColumns(t), ...healthColumns(t, actions, resting), ...routingColumns(t, actions)]
}

const identityColumns = (t: TFunction): Column<Channel>[] => [
  {
    id: 'id',
    header: t('channels.id'),
    cell: ({ id }) => <span className="mono dimmed">{id}</span>,
    sortBy: ({ id }) => id,
    width: 42,
    phone: 'hidden',
  },
  {
    id: 'name',
    header: t('channels.name'),
    cell: (channel) => <NameCell channel={channel} />,
    sortBy: ({ name }) => name,
    title: (channel) => [channel.name, errorText(t, channel)].filter(Boolean).join('\n'),
    phone: 'title',
    phoneCell: ({ name }) => name,
  },
  {
    id: 'group',
    header: t('channels.group'),
    cell: ({ group }) => <GroupsInRoom groups={group} />,
    sortBy: ({ group }) => group,
    title: ({ group }) => group,
    width: 148,
    least: 90,
    phone: 'badge',
    phoneCell: ({ group }) => <GroupBadges groups={group} but="default" max={1} />,
    drop: 3,
  },
  {
    id: 'type',
    header: t('channels.type'),
    cell: ({ type }) => <ChannelTypeName type={type} />,
    sortBy: ({ type }) => channelTypeOf(type)?.label ?? '',
    title: ({ type }) => channelTypeOf(type)?.label ?? '',
    width: 144,
    least: 128,
    phone: 'meta',
  },
]

const healthColumns = (t: TFunction, actions: ChannelActions, resting: Resting): Column<Channel>[] => [
  {
    id: 'status',
    header: t('channels.status'),
    cell: (channel) => <StatusCell channel={channel} until={resting.get(channel.id)} />,
    sortBy: ({ status }) => status,
    title: (channel) => shareTitle(t, channel),
    width: 144,
    least: 136,
    phone: 'state',
    phoneCell: ({ status }) => <State kind="channel" status={status} />,
  },
  {
    id: 'response_time',
    header: t('channels.responseTime'),
    cell: (channel) => <TestResult channel={channel} />,
    sortBy: ({ response_time }) => response_time,
    title: (channel) => testText(t, channel),
    width: 96,
    least: 80,
    phone: 'badge',
    drop: 5,
  },
  {
    id: 'balance',
    header: t('channels.balance'),
    cell: (channel) => <BalanceCell channel={channel} onUpdate={() => actions.updateBalance(channel)} />,
    sortBy: ({ balance }) => balance,
    align: 'end',
    width: 80,
    least: 72,
    phone: 'hidden',
    drop: 1,
  },
]

const routingColumns = (t: TFunction, actions: ChannelActions): Column<Channel>[] => [
  {
    id: 'priority',
    header: t('channels.priority'),
    cell: (channel) => (
      <InlineNumber
        label={t('channels.priorityOf', { name: channel.name })}
        value={channel.priority}
        onSave={(priority) => actions.change(channel, { priority })}
      />
    ),
    sortBy: ({ priority }) => priority,
    align: 'end',
    width: 76,
    least: 72,
    phone: 'meta',
    phoneCell: ({ priority }) => t('channels.priorityIs', { priority }),
    drop: 4,
  },
  {
    id: 'weight',
    header: t('channels.weight'),
    cell: (channel) => (
      <InlineNumber
        label={t('channels.weightOf', { name: channel.name })}
        value={channel.weight}
        min={0}
        onSave={(weight) => actions.change(channel, { weight })}
      />
    ),
    align: 'end',
    width: 72,
    phone: 'hidden',
    drop: 2,
  },
  {
    id: 'actions',
    header: t('table.actions'),
    cell: (channel) => <RowActions name={channel.name} actions={actions.ofRow(channel)} />,
    align: 'end',
    width: 186,
    phone: 'actions',
  },
]
