import { useQuery } from '@tanstack/react-query'
import type { Channel } from '#shared/api/channels.ts'
import type { routingApi } from '#shared/api/routing.ts'
import type { UsageRow } from '#shared/api/usage.ts'
import type { OutputOf } from '#shared/contract.ts'
import { channelStatus } from '#shared/statuses.ts'
import { ChannelBar } from '#web/components/data/channel-type.tsx'
import { Dot, State } from '#web/components/data/state-dot.tsx'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { daysFromTo } from '#web/features/overview/day-names.ts'
import { money, percent, percentOfAll, seconds } from '#web/features/overview/numbers.ts'
import styles from '#web/features/overview/overview.module.css'
import { browserZone, periodOf } from '#web/features/overview/period/period.ts'
import type { OverviewState } from '#web/features/overview/use-overview.ts'
import { formatClock, formatCount, nowSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { channelsBrief } from '#web/state/queries/channel-queries.ts'
import { useResting, useTroubles } from '#web/state/queries/resting-queries.ts'
import { usageSeries, usageTable } from '#web/state/queries/usage-queries.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { outLook } from '#web/theme/meaning.ts'
import { type ChannelLine, channelLines } from './channel-lines.ts'
import { answeredShare } from './health.ts'
import { HealthLegend, HealthStrip } from './health-strip.tsx'
import { ScrollRegion } from './scroll-region.tsx'

/** Rests are short: the day needs no saying. */

const quarter = 900
type Trouble = Pick<OutputOf<typeof routingApi.troubles>[number], 'limited' | 'rested'>
const calm: Trouble = { limited: [], rested: [] }

const sum = (values: readonly number[] | undefined): number => (values ?? []).reduce((all, value) => all + value, 0)

/** Which channels fail and which lose money: both lead to the same decision. Health is always of the last 24 hours. */
export function ChannelsTable({ state }: { state: OverviewState }) {
  const { t } = useTranslation()
  const table = useQuery(usageTable({ scope: 'all', ...state.args, by: 'channel', pagesize: 50 }))
  const day = periodOf('24h', nowSeconds(), { from: 0, to: 0 })
  const asked = { scope: 'all', from: day.from, to: day.to, time_zone: browserZone() }
  const health = useQuery(usageSeries({ ...asked, step: 'half_hour', by: 'channel', top: 50, order: 'requests' }))
  const resting = useResting()
  const troubles = useTroubles(day.from)
  const channels = useQuery(channelsBrief).data
  const rows = table.data?.list ?? []
  const lines = channelLines({ usage: table.data, channels: channels?.values() ?? [], chips: state.chips })
  const largest = Math.max(1, ...rows.map(({ quota }) => quota))
  if (table.isLoadingError) return <CannotLoad onRetry={table.refetch} />
  const { from, to } = state.period
  return (
    <div className={styles.section}>
      <div className={styles.sectionHead}>
        <h2>{t('overview.channels')}</h2>
        <HealthLegend />
      </div>
      <ScrollRegion label={t('overview.channels')} whole>
        <table className={`${styles.table} ${styles.channels}`}>
          <thead>
            <tr className={styles.bands}>
              <td />
              <th scope="col">{t('overview.nowBand')}</th>
              <th scope="colgroup" colSpan={2}>
                {t('overview.lastDay')}
              </th>
              <th scope="colgroup" colSpan={6} data-align="end">
                {daysFromTo(from, to)}
              </th>
            </tr>
            <tr>
              <th scope="col">{t('overview.names.channel')}</th>
              <th scope="col">{t('overview.state')}</th>
              <th scope="col">{t('overview.health')}</th>
              {(['up', 'firstByte', 'requests'] as const).map((name) => (
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
            {lines.map((line) => (
              <ChannelRow
                key={line.key}
                state={state}
                line={line}
                known={channels?.get(Number(line.key))}
                share={(line.used?.quota ?? 0) / largest}
                until={resting.get(Number(line.key))}
                buckets={health.data?.buckets ?? []}
                day={health.data?.series.find(({ key }) => key === line.key)?.attempts ?? noAttempts}
                trouble={troubles.get(Number(line.key))}
              />
            ))}
          </tbody>
          {lines.length > 1 && <Totals count={lines.length} rows={rows} />}
        </table>
      </ScrollRegion>
    </div>
  )
}

const noAttempts: { readonly made: readonly number[]; readonly failed: readonly number[] } = { made: [], failed: [] }

interface RowProps {
  state: OverviewState
  line: ChannelLine
  /** Undefined when it has been deleted. */
  known: Pick<Channel, 'type' | 'status'> | undefined
  share: number
  /** When its rest ends, while it rests. */
  until: number | undefined
  buckets: readonly number[]
  /** Attempts on it in the last day. */
  day: typeof noAttempts
  trouble: Trouble | undefined
}

function ChannelRow({ state, line, known, share, until, buckets, day, trouble = calm }: RowProps) {
  const { t } = useTranslation()
  const { key, name, used } = line
  const answered = answeredShare(day.made, day.failed)
  const isLimited = trouble.limited.some((slot) => slot + quarter > nowSeconds())
  const none = t('common.none')
  const edge = 'var(--sy-edge)'
  return (
    <tr
      className={used ? undefined : 'dimmed'}
      style={{ background: `linear-gradient(${edge}, ${edge}) left bottom / ${share * 100}% 3px no-repeat` }}
    >
      <th scope="row" title={name}>
        <button
          type="button"
          className={styles.pick}
          onClick={(event) => state.toggle({ field: 'channel', value: key, leaveOut: event.altKey })}
        >
          {known && <ChannelBar type={known.type} />} {name}
        </button>
      </th>
      <td>
        {until !== undefined ? (
          <span className={styles.resting}>
            <Dot look={outLook('rest')} />
            {t('channels.resting')}{' '}
            <small className="dimmed">{t('channels.until', { time: formatClock(until) })}</small>
          </span>
        ) : known && isLimited && known.status === channelStatus.enabled ? (
          <span className={styles.resting}>
            <Dot look={outLook('limit')} />
            {t('overview.rateLimited')}
          </span>
        ) : known ? (
          <State kind="channel" status={known.status} />
        ) : (
          <span className="dimmed">{none}</span>
        )}
      </td>
      <td className={styles.strip}>
        <HealthStrip
          buckets={buckets}
          requests={day.made}
          failed={day.failed}
          {...trouble}
          restsUntil={until === undefined ? null : formatClock(until)}
        />
      </td>
      <td data-align="end">{answered === null ? none : percentOfAll(answered)}</td>
      <PeriodCells used={used} />
    </tr>
  )
}

/** What it did in the period; dashes where that is nothing. */
function PeriodCells({ used }: { used: UsageRow | null }) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const none = t('common.none')
  if (!used)
    return ['firstByte', 'requests', 'quota', 'cost', 'profit', 'margin'].map((name) => (
      <td key={name} data-align="end" data-wide>
        {none}
      </td>
    ))
  const isLoss = (used.profit ?? 0) < 0 || undefined
  return (
    <>
      <td data-align="end" data-wide>
        {seconds(used.first_byte_p50_ms, none)}
      </td>
      <td data-align="end" data-unit={t('overview.units.requests')}>
        {formatCount(used.requests)}
      </td>
      <td data-align="end">{money(used.quota, display)}</td>
      <td data-align="end" data-wide>
        {money(used.cost ?? 0, display)}
      </td>
      <td data-align="end" data-wide data-loss={isLoss}>
        {money(used.profit ?? 0, display)}
      </td>
      <td data-align="end" data-loss={isLoss} data-unit={t('overview.units.margin')}>
        {used.margin == null ? none : percent(used.margin)}
      </td>
    </>
  )
}

function Totals({ count, rows }: { count: number; rows: readonly UsageRow[] }) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const quota = sum(rows.map((row) => row.quota))
  const profit = sum(rows.map((row) => row.profit ?? 0))
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={5}>
          {t('overview.channelCount', { count })}
        </th>
        <td data-align="end" data-unit={t('overview.units.requests')}>
          {formatCount(sum(rows.map((row) => row.requests)))}
        </td>
        <td data-align="end">{money(quota, display)}</td>
        <td data-align="end" data-wide>
          {money(sum(rows.map((row) => row.cost ?? 0)), display)}
        </td>
        <td data-align="end" data-wide>
          {money(profit, display)}
        </td>
        <td data-align="end" data-unit={t('overview.units.margin')}>
          {quota === 0 ? t('common.none') : percent(profit / quota)}
        </td>
      </tr>
    </tfoot>
  )
}
