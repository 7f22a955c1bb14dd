import type { User } from '#shared/api/users.ts'
import { formatQuota } from '#shared/quota.ts'
import { LogLink } from '#web/components/data/log-link.tsx'
import { formatCount } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './users.module.css'

function useWords({ quota, used_quota, request_count }: User) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  return {
    remaining: t('users.remaining', { amount: formatQuota(quota, display) }),
    used: t('users.used', { amount: formatQuota(used_quota, display) }),
    requests: t('users.requests', { count: request_count, shown: formatCount(request_count) }),
  }
}

/** What a user has, has spent, and how often. */
export function Statistics({ user }: { user: User }) {
  const words = useWords(user)
  return (
    <span className={styles.statistics}>
      <span>{words.remaining}</span>
      <span className={styles.beside}>
        <LogLink to={`/log?username=${encodeURIComponent(user.username)}&start_timestamp=0`} name={user.username}>
          {words.used} · {words.requests}
        </LogLink>
      </span>
    </span>
  )
}

export function ShortStatistics({ user }: { user: User }) {
  const { remaining, requests } = useWords(user)
  return (
    <span className={styles.short}>
      <span>{remaining}</span>
      <span>{requests}</span>
    </span>
  )
}
