import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { compactCount, formatQuota } from '#shared/quota.ts'
import styles from '#web/features/overview/overview.module.css'
import { formatDate, nowSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { selfQuery } from '#web/state/queries/self-queries.ts'
import { usageSummary } from '#web/state/queries/usage-queries.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { useUsageScope, useWalletTeam } from '#web/state/wallet.ts'
import { Budgets } from './budgets.tsx'

const day = 86_400
const paceDays = 14
/** A balance that lasts no longer than this is low. */
const lowDays = 3

/** When the balance is used up at the pace of the last two weeks; null when that is far off. */
function lastsUntil(balance: number, spent: number): number | null {
  if (spent <= 0 || balance <= 0) return null
  const days = balance / (spent / paceDays)
  return days > 365 ? null : nowSeconds() + days * day
}

/** The balance, how long it lasts, and the budgets that hold. */
export function Wallet() {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const self = useQuery(selfQuery).data
  const team = useWalletTeam()
  const holder = team ?? self
  const to = Math.ceil(nowSeconds() / 900) * 900
  const pace = useQuery(usageSummary({ from: to - paceDays * day, to, scope: useUsageScope() }))
  const quota = holder?.quota ?? 0
  const until = lastsUntil(quota, pace.data?.totals.quota ?? 0)
  return (
    <section className={styles.wallet} aria-label={t('overview.balance')}>
      <div className="dimmed">{t('overview.balance')}</div>
      <div className={styles.balance}>
        {holder ? formatQuota(quota, display) : t('common.none')}{' '}
        <span className={styles.beside}>{holder ? compactCount(quota) : ''}</span>
      </div>
      {holder && quota <= 0 && <p>{t('overview.noBalance')}</p>}
      {until !== null && until - nowSeconds() < lowDays * day && (
        <p className={styles.low}>{t('overview.lowBalance')}</p>
      )}
      {until !== null && <p>{t('overview.lasts', { date: formatDate(until) })}</p>}
      <div className={styles.buttons}>
        <Button component={Link} to={team ? `/team/${team.id}` : '/topup'} variant="filled">
          {t('overview.topup')}
        </Button>
        <Button component={Link} to={team ? `/token/add?team=${team.id}` : '/token/add'}>
          {t('overview.addToken')}
        </Button>
      </div>
      <Budgets />
    </section>
  )
}
