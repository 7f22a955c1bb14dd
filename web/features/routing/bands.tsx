import type { RouteCandidate } from '#shared/api/routing.ts'
import { reasonIn } from '#web/components/data/reason-words.ts'
import { formatSeconds, formatTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { formatShare, formatUsd } from '#web/lib/usd.ts'
import styles from './routing.module.css'
import { Tracks } from './tracks.tsx'

const bands = ['first', 'reserve', 'out'] as const

/** Channels in three bands. The drawing at the left says what the table says. */
export function Bands({ candidates }: { candidates: readonly RouteCandidate[] }) {
  const { t } = useTranslation()
  return (
    <div className={styles.drawing}>
      <Tracks candidates={candidates} />
      <table className={styles.table} aria-label={t('routing.explain')}>
        <thead>
          <tr>
            <th>{t('routing.channel')}</th>
            <th>{t('routing.reason')}</th>
            <th data-align="end">{t('routing.chance')}</th>
            <th data-align="end" data-wide="">
              {t('routing.firstByte')}
            </th>
            <th data-align="end" data-wide="">
              {t('routing.failed')}
            </th>
            <th data-align="end" data-wide="">
              {t('routing.cost')}
            </th>
          </tr>
        </thead>
        {bands.map((band) => {
          const rows = candidates.filter(({ state }) => state === band)
          return (
            rows.length > 0 && (
              <tbody key={band}>
                <tr className={styles.band}>
                  <th colSpan={6} scope="rowgroup">
                    {t(`routing.bands.${band}`)} <span className="dimmed">{t(`routing.bandHints.${band}`)}</span>
                  </th>
                </tr>
                {rows.map((row) => (
                  <CandidateRow key={row.channel_id} row={row} />
                ))}
              </tbody>
            )
          )
        })}
      </table>
    </div>
  )
}

function CandidateRow({ row }: { row: RouteCandidate }) {
  const { t } = useTranslation()
  const until = row.resting_until > 0 ? ` ${t('routing.restsUntil', { time: formatTime(row.resting_until) })}` : ''
  return (
    <tr data-state={row.state}>
      <td>
        <b className="name">{row.name}</b>
        <span className={styles.rank}>{t('routing.rank', { priority: row.priority, weight: row.weight })}</span>
      </td>
      <td>{reasonIn(t, row.state, row.reason) + until}</td>
      <td data-align="end">{row.state === 'first' ? formatShare(row.probability) : '–'}</td>
      <td data-align="end" data-wide="" title={t('routing.hour')}>
        {row.first_byte_p50_ms === null ? '–' : formatSeconds(row.first_byte_p50_ms)}
      </td>
      <td data-align="end" data-wide="" title={t('routing.hour')}>
        {formatShare(row.error_share)}
      </td>
      <td data-align="end" data-wide="">
        {formatUsd(row.cost_usd)}
      </td>
    </tr>
  )
}
