import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { logsApi } from '#shared/api/logs.ts'
import { money, seconds } from '#web/features/overview/numbers.ts'
import styles from '#web/features/overview/overview.module.css'
import { call } from '#web/lib/api.ts'
import { formatCount, formatDate, formatTime, nowSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { useWalletTeam } from '#web/state/wallet.ts'
import { ScrollRegion } from './scroll-region.tsx'

/** The day goes without saying when it is today. */
const shortTime = (at: number): string => formatTime(at).slice(formatDate(at) === formatDate(nowSeconds()) ? 11 : 5)

export function LatestRequests() {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const asked = { type: 2, pagesize: 6, team_id: useWalletTeam()?.id ?? 0 }
  const latest = useQuery({ queryKey: ['logs', 'latest', asked], queryFn: () => call(logsApi.own, asked) })
  const none = t('common.none')
  const orNone = (value: number) => (value === 0 ? none : formatCount(value))
  const ends = [
    'overview.columns.input',
    'overview.cached',
    'overview.columns.output',
    'overview.firstByte',
    'overview.columns.took',
    'overview.columns.spent',
  ] as const
  return (
    <div className={styles.section}>
      <div className={styles.sectionHead}>
        <h2>{t('overview.latest')}</h2>
        <Link to="/log" className={styles.link}>
          {t('overview.openLog')}
        </Link>
      </div>
      <ScrollRegion label={t('overview.latest')}>
        <table className={`${styles.table} ${styles.latest}`}>
          <thead>
            <tr>
              <th scope="col">{t('overview.columns.time')}</th>
              <th scope="col">{t('overview.names.model')}</th>
              <th scope="col">{t('overview.names.token')}</th>
              {ends.map((name) => (
                <th key={name} scope="col" data-align="end">
                  {t(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(latest.data?.list ?? []).map((row) => (
              <tr key={row.id}>
                <td title={formatTime(row.created_at)}>{shortTime(row.created_at)}</td>
                <td className="mono">
                  <Link to={`/log?type=2&open=${encodeURIComponent(row.request_id)}`} className={styles.plainLink}>
                    {row.model_name}
                  </Link>
                </td>
                <td>{row.token_name}</td>
                <td data-align="end" data-unit={t('overview.units.in')}>
                  {orNone(row.prompt_tokens)}
                </td>
                <td data-align="end">{orNone(row.cached_tokens)}</td>
                <td data-align="end" data-unit={t('overview.units.out')}>
                  {orNone(row.completion_tokens)}
                </td>
                <td data-align="end">{seconds(row.first_byte_ms || null, none)}</td>
                <td data-align="end">{seconds(row.duration_ms, none)}</td>
                <td data-align="end">{money(row.quota, display)}</td>
              </tr>
            ))}
            {latest.data?.list.length === 0 && (
              <tr>
                <td colSpan={3 + ends.length} className="dimmed">
                  {t('overview.noneYet')}
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  )
}
