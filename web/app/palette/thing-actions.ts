import { type Channel, channelsApi } from '#shared/api/channels.ts'
import { channelStatus } from '#shared/statuses.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { reportFailure, telling } from '#web/lib/failures.ts'
import { formatSeconds } from '#web/lib/format.ts'
import type { TFunction } from '#web/lib/i18n.ts'
import { sayRefusal } from '#web/lib/messages.ts'
import { toast } from '#web/lib/toast.tsx'
import type { Entry } from './palette-entries.ts'

async function test(t: TFunction, { id, name }: Channel) {
  try {
    const { time } = await call(channelsApi.test, { id })
    toast.success(t('channels.tested', { name, time: formatSeconds(time * 1000) }))
  } catch (error) {
    if (!(error instanceof ApiError)) return reportFailure(error)
    toast.error(t('channels.testFailed', { name, reason: sayRefusal(error) }))
  }
}

async function toggle(t: TFunction, { id, status }: Channel) {
  const wanted = status === channelStatus.enabled ? channelStatus.manuallyDisabled : channelStatus.enabled
  await telling(call(channelsApi.update, { id, status: wanted }))
  toast.success(t('common.done'))
}

/** What can be done at once with the best of what was found. */
export function thingActions(
  t: TFunction,
  { channel, model }: { channel: Channel | undefined; model: string | undefined },
): Entry[] {
  const ofChannel: Entry[] = channel
    ? [
        { id: 'do test', label: `${t('channels.test')} ${channel.name}`, run: () => test(t, channel) },
        {
          id: 'do toggle',
          label: `${t(channel.status === channelStatus.enabled ? 'common.disable' : 'common.enable')} ${channel.name}`,
          run: () => toggle(t, channel),
        },
        {
          id: 'log channel',
          label: t('palette.requestsThrough', { name: channel.name }),
          to: `/log?channel=${channel.id}`,
        },
        {
          id: 'history channel',
          label: t('palette.changesOf', { name: channel.name }),
          to: `/history?kind=channel&target=${channel.id}`,
        },
      ]
    : []
  const ofModel: Entry[] = model
    ? [{ id: 'do explain', label: t('palette.explain', { model }), to: `/routing?model=${encodeURIComponent(model)}` }]
    : []
  return [...ofChannel, ...ofModel]
}

/** The number of a request leads to its row. */
export const requestEntries = (t: TFunction, words: string): Entry[] =>
  /^[\w-]{16,}$/.test(words)
    ? [{ id: 'request', label: t('palette.request', { id: words }), to: `/log?open=${encodeURIComponent(words)}` }]
    : []
