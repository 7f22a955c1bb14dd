import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatQuota } from '#shared/quota.ts'
import { ownReport } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { selfQuery } from '#web/state/queries/self-queries.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './shell.module.css'

/** Whose money is looked at, and how much is left of it. */
export function Wallet() {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const { data: self } = useQuery({ ...selfQuery, meta: ownReport })
  return (
    <Link to="/topup" className={styles.wallet}>
      <span className={styles.walletName}>{t('shell.personal')}</span>
      {self && <span className={styles.balance}>{formatQuota(self.quota, display)}</span>}
    </Link>
  )
}
