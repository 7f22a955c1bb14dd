import { Badge } from '@mantine/core'
import type { Channel } from '#shared/api/channels.ts'
import { ResponseBadge } from '#web/components/data/badges.tsx'
import { Dot, State } from '#web/components/data/state-dot.tsx'
import { formatClock, formatTime, nowSeconds } from '#web/lib/format.ts'
import { type TFunction, useTranslation } from '#web/lib/i18n.ts'
import { outLook } from '#web/theme/meaning.ts'
import styles from './channels.module.css'

const freshSeconds = 86_400
/** Below this share of answered requests something is wrong. */
const poorShare = 0.9

const shareText = (share: number): string => `${(share * 100).toFixed(share < 1 ? 1 : 0)} %`

/** The last fault of a request, as long as it is of the last 24 hours; '' otherwise. */
export const errorText = (t: TFunction, { last_error, last_error_time }: Channel): string =>
  last_error !== '' && nowSeconds() - last_error_time < freshSeconds
    ? t('channels.lastError', { time: formatTime(last_error_time), reason: last_error })
    : ''

/** Name, and below it the last error or else the tags. */
export function NameCell({ channel }: { channel: Channel }) {
  const { t } = useTranslation()
  const error = errorText(t, channel)
  const below = error === '' ? channel.tags.replaceAll(',', ', ') : channel.last_error
  return (
    <span className={styles.name}>
      <b className="name">{channel.name}</b>
      {below !== '' && (
        <span className={styles.below} data-bad={error !== '' || undefined}>
          {below}
        </span>
      )}
    </span>
  )
}

export const shareTitle = (t: TFunction, { success_share: share }: Channel): string =>
  share === null ? '' : t('channels.answeredTitle', { share: shareText(share) })

/** Its state, and below it how much of the last day it answered. */
export function StatusCell({ channel, until }: { channel: Channel; until: number | undefined }) {
  const { t } = useTranslation()
  const { status, success_share: share } = channel
  return (
    <span className={styles.name}>
      {until === undefined ? (
        <State kind="channel" status={status} />
      ) : (
        <span className={styles.resting}>
          <Dot look={outLook('rest')} />
          {t('channels.resting')}{' '}
          <span className={styles.below}>{t('channels.until', { time: formatClock(until) })}</span>
        </span>
      )}
      {share !== null && (
        <span className={styles.below} data-bad={share < poorShare || undefined}>
          {t('channels.answered', { share: shareText(share) })}
        </span>
      )}
    </span>
  )
}

export function testText(t: TFunction, { test_time, test_fault }: Channel): string {
  if (test_time === 0) return t('states.untested')
  const when = t('channels.testedAt', { time: formatTime(test_time) })
  return test_fault === '' ? when : `${when}\n${test_fault}`
}

/** How the last test went: its time, or that it failed. */
export function TestResult({ channel }: { channel: Channel }) {
  const { t } = useTranslation()
  if (channel.test_fault === '') return <ResponseBadge milliseconds={channel.response_time} />
  return (
    <Badge color="red" title={testText(t, channel)}>
      {t('channels.failed')}
    </Badge>
  )
}
