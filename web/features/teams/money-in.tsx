import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { logsApi } from '#shared/api/logs.ts'
import { logType } from '#shared/statuses.ts'
import { Money } from '#web/components/data/money.tsx'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'
import { formatTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './teams.module.css'

const shown = 5

/** What came into the team's wallet last: codes redeemed, and what members moved there. */
export function MoneyIn({ teamId }: { teamId: number }) {
  const { t } = useTranslation()
  const { data, isLoadingError, refetch } = useQuery({
    queryKey: ['teams', teamId, 'topups'],
    queryFn: () => call(logsApi.own, { type: logType.topUp, team_id: teamId, pagesize: shown }),
    meta: ownReport,
  })
  return (
    <section className={styles.section} aria-labelledby="team-money">
      <div className={styles.sectionHead}>
        <h2 id="team-money">{t('teams.moneyIn')}</h2>
        <Link to={`/log?type=${logType.topUp}&team_id=${teamId}&start_timestamp=0`} className={styles.link}>
          {t('teams.allEntries')}
        </Link>
      </div>
      {isLoadingError && <CannotLoad onRetry={refetch} />}
      <ul className={styles.entries}>
        {data?.list.map(({ id, created_at, username, content, quota }) => (
          <li key={id}>
            <span>{formatTime(created_at)}</span>
            <span>{username}</span>
            <span className={styles.what}>
              {t(content.startsWith('transferred') ? 'teams.movedIn' : 'teams.redeemedIn')}
            </span>
            <Money quota={quota} />
          </li>
        ))}
        {data?.list.length === 0 && (
          <li className="dimmed">
            <span>{t('teams.noEntries')}</span>
          </li>
        )}
      </ul>
    </section>
  )
}
