import { useQuery } from '@tanstack/react-query'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { formatCount, nowSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { usageSeries, usageTable } from '#web/state/queries/usage-queries.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { HealthStrip } from './health-strip.tsx'
import { money, percent, seconds } from './numbers.ts'
import styles from './overview.module.css'
import { browserZone, periodOf } from './period.ts'
import { ScrollRegion } from './scroll-region.tsx'
import type { OverviewState } from './use-overview.ts'

/** Which channels fail and which lose money: both lead to the same decision. Health is always of the last 24 hours. */
export function ChannelsTable({ state }: { state: OverviewState }) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const table = useQuery(usageTable({ scope: 'all', ...state.args, by: 'channel', pagesize: 50 }))
  const day = periodOf('24h', nowSeconds(), { from: 0, to: 0 })
  const asked = { scope: 'all', from: day.from, to: day.to, time_zone: browserZone() }
  const health = useQuery(usageSeries({ ...asked, step: 'half_hour', by: 'channel', top: 50, order: 'requests' }))
  const rows = table.data?.list ?? []
  const largest = Math.max(1, ...rows.map(({ quota }) => quota))
  if (table.isLoadingError) return <CannotLoad onRetry={table.refetch} />
  return (
    <div className={styles.section}>
      <div className={styles.sectionHead}>
        <h2>{t('overview.channels')}</h2>
        <span className={styles.hint}>
          {t('overview.health')}: {t('overview.legend.answering')}, {t('overview.legend.failing')},{' '}
          {t('overview.legend.idle')}
        </span>
      </div>
      <ScrollRegion label={t('overview.channels')}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('overview.names.channel')}</th>
              <th scope="col">{t('overview.lastDay')}</th>
              {(['firstByte', 'failed', 'requests'] as const).map((name) => (
                <th key={name} scope="col" data-align="end">
                  {t(`overview.${name}`)}
                </th>
              ))}
              {(['quota', 'cost', 'profit'] as const).map((name) => (
                <th key={name} scope="col" data-align="end">
                  {t(`overview.measures.${name}`)}
                </th>
              ))}
              <th scope="col" data-align="end">
                {t('overview.margin')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const edge = 'var(--sy-edge)'
              const isLoss = (row.profit ?? 0) < 0 || undefined
              const day = health.data?.series.find(({ key }) => key === row.key)?.values
              const name = row.label || `#${row.key}`
              return (
                <tr
                  key={row.key}
                  style={{
                    background: `linear-gradient(${edge}, ${edge}) left bottom / ${(row.quota / largest) * 100}% 3px no-repeat`,
                  }}
                >
                  <th scope="row" title={name}>
                    <button
                      type="button"
                      className={styles.pick}
                      onClick={(event) => state.toggle({ field: 'channel', value: row.key, leaveOut: event.altKey })}
                    >
                      {name}
                    </button>
                  </th>
                  <td>
                    <HealthStrip
                      buckets={health.data?.buckets ?? []}
                      requests={day?.requests ?? []}
                      failed={day?.failed ?? []}
                    />
                  </td>
                  <td data-align="end">{seconds(row.first_byte_p50_ms, t('common.none'))}</td>
                  <td data-align="end">{percent(row.error_share, 2)}</td>
                  <td data-align="end">{formatCount(row.requests)}</td>
                  <td data-align="end">{money(row.quota, display)}</td>
                  <td data-align="end">{money(row.cost ?? 0, display)}</td>
                  <td data-align="end" data-loss={isLoss}>
                    {money(row.profit ?? 0, display)}
                  </td>
                  <td data-align="end" data-loss={isLoss}>
                    {row.margin == null ? t('common.none') : percent(row.margin)}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  )
}
