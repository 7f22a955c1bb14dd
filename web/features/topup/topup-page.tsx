import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { useQuotaWords } from '#web/hooks/use-quota-words.ts'
import { formatCount, quotaPair } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { selfQuery } from '#web/state/queries/self-queries.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { RedeemForm } from './redeem-form.tsx'
import styles from './topup.module.css'
import { TopupHistory } from './topup-history.tsx'

export function TopupPage() {
  const { t } = useTranslation()
  return (
    <>
      <PageHead title={t('topup.title')} />
      <div className={styles.columns}>
        <RedeemForm />
        <Balance />
      </div>
      <TopupHistory />
    </>
  )
}

function Balance() {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const words = useQuotaWords()
  const { data: self, isLoadingError, refetch } = useQuery(selfQuery)
  const remaining = self && quotaPair(self.quota, display, t('table.quotaUnit'))
  if (isLoadingError) return <CannotLoad onRetry={refetch} />
  return (
    <dl className={styles.balance} aria-busy={!self}>
      <div className={styles.main}>
        <dt>{t('topup.remaining')}</dt>
        <dd>
          {remaining ? (
            <>
              <span className={styles.figure}>{remaining.main}</span> <span className="dimmed">{remaining.beside}</span>
            </>
          ) : (
            <Skeleton height={10} width={90} my={13} />
          )}
        </dd>
      </div>
      <div>
        <dt>{t('topup.used')}</dt>
        <dd>{self ? words(self.used_quota) : t('common.none')}</dd>
      </div>
      <div>
        <dt>{t('topup.requests')}</dt>
        <dd>{self ? formatCount(self.request_count) : t('common.none')}</dd>
      </div>
    </dl>
  )
}
