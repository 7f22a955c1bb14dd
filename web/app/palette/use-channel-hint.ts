import type { Channel } from '#shared/api/channels.ts'
import { formatClock, formatSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useResting } from '#web/state/queries/resting-queries.ts'

/** What distinguishes a channel from others of the same name: until when it rests, else its state, priority and last test. */
export function useChannelHint(enabled: boolean): (channel: Channel) => string {
  const { t } = useTranslation()
  const resting = useResting(enabled)
  const states: Record<number, string> = t('states.channel', { returnObjects: true })
  return ({ id, status, priority, response_time, test_fault }) => {
    const until = resting.get(id)
    const state = (states[status] ?? '').toLowerCase()
    if (until !== undefined)
      return `${t('channels.resting').toLowerCase()} ${t('channels.until', { time: formatClock(until) })}`
    const time = response_time > 0 && test_fault === '' ? formatSeconds(response_time) : ''
    return [state, t('channels.priorityIs', { priority }).toLowerCase(), time].filter(Boolean).join(t('palette.comma'))
  }
}
