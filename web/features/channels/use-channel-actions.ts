import { useNavigate } from 'react-router'
import { type Channel, channelsApi } from '#shared/api/channels.ts'
import { channelStatus } from '#shared/statuses.ts'
import type { RowAction } from '#web/components/table/row-action.ts'
import { useUndoToast } from '#web/hooks/use-undo.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { reportFailure, reporting } from '#web/lib/failures.ts'
import { formatSeconds, nowSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { refusalText } from '#web/lib/messages.ts'
import { toast } from '#web/lib/toast.tsx'
import type { ChannelList } from './use-channel-list.ts'

export interface ChannelActions {
  ofRow: (channel: Channel) => readonly RowAction[]
  change: (channel: Channel, change: { priority: number } | { weight: number }) => Promise<unknown>
  updateBalance: (channel: Channel) => Promise<unknown>
}

/** What can be done to a channel in the list. */
export function useChannelActions(
  list: Pick<ChannelList, 'patch' | 'remove' | 'countEnabled' | 'refresh'>,
): ChannelActions {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const undoable = useUndoToast()

  const test = async ({ id, name }: Channel) => {
    try {
      const { time } = await call(channelsApi.test, { id })
      const milliseconds = Math.round(time * 1000)
      list.patch(id, { response_time: milliseconds, test_time: nowSeconds(), test_fault: '' })
      toast.success(t('channels.tested', { name, time: formatSeconds(milliseconds) }))
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'channel.test_failed') return reportFailure(error)
      toast.error(t('channels.testFailed', { name, reason: refusalText(error) }))
      await list.refresh()
    }
  }
  const duplicate = async ({ id, name }: Channel) => {
    await reporting(call(channelsApi.duplicate, { id }))
    toast.success(t('channels.duplicated', { name }))
    await list.refresh()
  }
  const toggle = async ({ id, status }: Channel) => {
    const wanted = status === channelStatus.enabled ? channelStatus.manuallyDisabled : channelStatus.enabled
    const after = await reporting(call(channelsApi.update, { id, status: wanted }))
    list.patch(id, { status: after.status })
    list.countEnabled(Number(after.status === channelStatus.enabled) - Number(status === channelStatus.enabled))
    toast.success(t('common.done'))
  }
  const remove = async ({ id, status }: Channel) => {
    await reporting(call(channelsApi.remove, { id }))
    list.remove(id)
    list.countEnabled(status === channelStatus.enabled ? -1 : 0)
    await undoable(t('common.done'), { kind: 'channel', target: id })
  }

  return {
    async change({ id }, change) {
      const { priority, weight } = await reporting(call(channelsApi.update, { id, ...change }))
      list.patch(id, { priority, weight })
    },
    async updateBalance({ id, name }) {
      const { balance } = await reporting(call(channelsApi.balance, { id }))
      list.patch(id, { balance, balance_updated_time: nowSeconds() })
      toast.success(t('channels.balanceUpdated', { name }))
    },
    ofRow: (channel) => [
      { label: t('channels.test'), run: () => test(channel) },
      {
        label: channel.status === channelStatus.enabled ? t('common.disable') : t('common.enable'),
        widest: [t('common.disable'), t('common.enable')],
        run: () => toggle(channel),
      },
      { label: t('common.edit'), icon: 'edit', to: `/channel/edit/${channel.id}` },
      {
        label: t('common.more'),
        icon: 'more',
        choices: [
          { label: t('channels.duplicate'), run: () => duplicate(channel) },
          { label: t('common.openLog'), run: () => navigate(`/log?channel=${channel.id}&start_timestamp=0`) },
        ],
      },
      {
        label: t('common.delete'),
        icon: 'delete',
        run: () => remove(channel),
        confirm: {
          title: t('channels.deleteTitle', { name: channel.name }),
          consequence: t('channels.deleteText'),
          verb: t('common.delete'),
        },
      },
    ],
  }
}
