import { useQuery } from '@tanstack/react-query'
import { formatQuota } from '#shared/quota.ts'
import { ownReport } from '#web/lib/failures.ts'
import { formatCount, formatTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { selfQuery } from '#web/state/queries/self-queries.ts'
import { useUser } from '#web/state/session.tsx'
import { useQuotaDisplay, useStatus } from '#web/state/status.tsx'
import styles from './home.module.css'

/** The state of the system, and for those logged in their own. */
export function SystemFacts() {
  const { t } = useTranslation()
  const status = useStatus()
  const { user } = useUser()
  const display = useQuotaDisplay()
  const self = useQuery({ ...selfQuery, enabled: user !== null, meta: ownReport }).data
  const none = t('common.none')
  const onOff = (on: boolean) => t(on ? 'common.on' : 'common.off')
  const own: Array<[string, string]> = [
    [t('home.yourQuota'), self ? t('home.remaining', { amount: formatQuota(self.quota, display) }) : none],
    [t('home.yourRequests'), self ? formatCount(self.request_count) : none],
  ]
  const forVisitors: Array<[string, string]> = [
    [t('home.registration'), onOff(status.register)],
    [t('home.wechatLogin'), onOff(status.wechat_login)],
  ]
  const facts: Array<[string, string]> = [
    [t('home.version'), status.version || none],
    [t('home.runningSince'), status.start_time ? formatTime(status.start_time) : none],
    ...(user ? own : forVisitors),
    [t('home.passwordLogin'), onOff(status.password_login)],
    [t('home.emailVerification'), onOff(status.email_verification)],
    [t('home.githubLogin'), onOff(status.github_oauth)],
    [t('home.botCheck'), onOff(status.turnstile_check)],
  ]
  return (
    <dl className={styles.facts} aria-label={t('home.facts')}>
      {facts.map(([label, value]) => (
        <div key={label} className={styles.fact}>
          <dt className={styles.label}>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
