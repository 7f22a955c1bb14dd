import type { ReactNode } from 'react'
import type { Token } from '#shared/api/tokens.ts'
import { formatQuota } from '#shared/quota.ts'
import { formatMinute } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { maskedKey } from './chat-clients.ts'
import styles from './token-facts.module.css'

/** What is known of a token and cannot be edited. */
export function TokenFacts({ token }: { token: Token }) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  return (
    <dl className={styles.facts}>
      <Fact label={t('tokens.key')}>
        {token.key === '' ? t('common.none') : <span className="mono">{maskedKey(token)}</span>}
      </Fact>
      <Fact label={t('tokens.created')}>{formatMinute(token.created_time)}</Fact>
      <Fact label={t('tokens.lastUsed')}>
        {token.accessed_time > 0 ? formatMinute(token.accessed_time) : t('common.never')}
      </Fact>
      <Fact label={t('tokens.used')}>{formatQuota(token.used_quota, display)}</Fact>
    </dl>
  )
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
