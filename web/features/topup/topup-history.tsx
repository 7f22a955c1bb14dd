import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { logsApi } from '#shared/api/logs.ts'
import { pageSizeMax } from '#shared/pagination.ts'
import { logType } from '#shared/statuses.ts'
import { Money } from '#web/components/data/money.tsx'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'
import { formatMinute } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './topup.module.css'

const shown = 10

/** The last top-ups of the own balance, newest first. */
export function TopupHistory() {
  const { t } = useTranslation()
  const { data, isLoadingError, refetch } = useQuery({
    queryKey: ['self', 'topups'],
    // Among them are those of teams, which may be the newest.
    queryFn: () => call(logsApi.own, { type: logType.topUp, pagesize: pageSizeMax }),
    select: ({ list, ...page }) => ({ ...page, list: list.filter(({ team_id }) => team_id === 0).slice(0, shown) }),
    meta: ownReport,
  })
  if (isLoadingError) return <CannotLoad onRetry={refetch} />
  if (!data) return null
  return (
    <section className={styles.history}>
      <h2>{t('topup.history')}</h2>
      {data.list.length === 0 && <p className="dimmed">{t('topup.noHistory')}</p>}
      <ul>
        {data.list.map(({ id, created_at, quota }) => (
          <li key={id}>
            <span className="dimmed">{formatMinute(created_at)}</span>
            <Money quota={quota} />
          </li>
        ))}
      </ul>
      {data.total > shown && <Link to="/log?type=1&start_timestamp=0">{t('topup.allOf', { count: data.total })}</Link>}
    </section>
  )
}
