import type { ReactNode } from 'react'
import type { ExplainedRoute, RouteCandidate } from '#shared/api/routing.ts'
import { formatUsd } from '#shared/usd.ts'
import { ChannelBar } from '#web/components/data/channel-type.tsx'
import { reasonIn, wordOf } from '#web/components/data/reason-words.ts'
import { Dot } from '#web/components/data/state-dot.tsx'
import { useWide } from '#web/hooks/screen/use-wide.ts'
import { useBeside } from '#web/hooks/use-beside.ts'
import { formatSeconds, formatTime } from '#web/lib/format.ts'
import { type TFunction, useTranslation } from '#web/lib/i18n.ts'
import { formatShare } from '#web/lib/usd.ts'
import { outLook } from '#web/theme/meaning.ts'
import { apiReasonIn } from './api-reason.ts'
import styles from './routing.module.css'
import { NarrowTracks, trunkOf, WideTracks } from './tracks.tsx'

const bands = ['first', 'reserve', 'out'] as const

interface Props {
  candidates: readonly RouteCandidate[]
  price: ExplainedRoute['price']
  /** What prices are multiplied by for the caller. */
  ratio: number
  /** What stands at the left of a wide screen: the gates and what happened. */
  children: ReactNode
}

/** Channels in three bands. The drawing at the left says what the table says. */
export function Bands({ candidates, price, ratio, children }: Props) {
  const { t } = useTranslation()
  const wide = useWide()
  const beside = useBeside()
  const sold = price?.input_usd == null ? null : price.input_usd * ratio
  return (
    <div className={styles.drawing}>
      <div className={styles.left} style={{ ['--trunk' as string]: `${trunkOf(candidates)}px` }}>
        {wide && <WideTracks candidates={candidates} />}
        {children}
      </div>
      {!wide && <NarrowTracks candidates={candidates} />}
      <table className={styles.table} aria-label={t('routing.explain')}>
        <thead>
          <tr>
            <th>{t('routing.channel')}</th>
            <th data-wide="">{t('routing.reason')}</th>
            <th data-align="end">{t('routing.chance')}</th>
            <th data-align="end" data-wide="" title={t('routing.hour')}>
              {t('routing.firstByte')}
            </th>
            <th data-align="end" data-wide="">
              {t('routing.cost')}
            </th>
            <th data-align="end" data-wide="">
              {t('routing.margin')}
            </th>
          </tr>
        </thead>
        {bands.map((band) => {
          const rows = candidates.filter(({ state }) => state === band)
          const shared = band === 'first' ? sharedReason(t, rows) : null
          return (
            rows.length > 0 && (
              <tbody key={band}>
                <tr className={styles.band}>
                  <th colSpan={beside ? 6 : 2} scope="rowgroup">
                    {t(`routing.bands.${band}`)}{' '}
                    <span className={styles.small}>
                      {[t(`routing.bandHints.${band}`), shared].filter(Boolean).join(t('common.comma'))}
                    </span>
                  </th>
                </tr>
                {rows.map((row) => (
                  <CandidateRow key={row.channel_id} row={row} sold={sold} isExplained={shared !== null} />
                ))}
              </tbody>
            )
          )
        })}
      </table>
    </div>
  )
}

/** Why all of them stand there; null where they differ. */
function sharedReason(t: TFunction, rows: readonly RouteCandidate[]): string | null {
  const reasons = new Set(rows.map(({ state, reason }) => reasonIn(t, state, reason)))
  const [only] = reasons
  return reasons.size === 1 && rows.length > 1 ? (only ?? null) : null
}

interface RowProps {
  row: RouteCandidate
  sold: number | null
  /** Its band says why. */
  isExplained: boolean
}

function CandidateRow({ row, sold, isExplained }: RowProps) {
  const { t } = useTranslation()
  const margin = sold === null || sold === 0 || row.cost_usd === null ? null : (sold - row.cost_usd) / sold
  const why = <Why row={row} isExplained={isExplained} />
  return (
    <tr data-state={row.state}>
      <td>
        <span className={styles.channel}>
          <ChannelBar type={row.type} />
          <b className="name ellipsis" title={row.name}>
            {row.name}
          </b>
        </span>
        <span className={styles.narrowWhy}>{why}</span>
      </td>
      <td data-wide="">{why}</td>
      <td data-align="end">{row.state === 'first' ? formatShare(row.probability) : '–'}</td>
      <td data-align="end" data-wide="" title={errorTitle(t('routing.failed'), row.error_share)}>
        {row.first_byte_p50_ms === null ? '–' : formatSeconds(row.first_byte_p50_ms)}
      </td>
      <td data-align="end" data-wide="">
        {row.cost_usd === null ? '–' : `${formatUsd(row.cost_usd)} / ${formatUsd(row.cost_output_usd)}`}
      </td>
      <td data-align="end" data-wide="">
        <span className={styles.margin} data-loss={(margin ?? 0) < 0 || undefined}>
          {formatShare(margin)}
        </span>
      </td>
    </tr>
  )
}

const errorTitle = (word: string, share: number | null): string | undefined =>
  share === null ? undefined : `${word} ${formatShare(share)}`

/** Rank and reason in two lines; what is out says its state first. */
function Why({ row, isExplained }: Pick<RowProps, 'row' | 'isExplained'>) {
  const { t } = useTranslation()
  const reason = reasonIn(t, row.state, row.reason)
  const until = row.resting_until > 0 ? ` ${t('routing.restsUntil', { time: formatTime(row.resting_until) })}` : ''
  const place = t('routing.rank', { priority: row.priority, weight: row.weight })
  // Chat is what everybody expects.
  const isOther = row.api === 'responses'
  const rank = isOther ? [place, t('routing.api', { api: row.api })].join(t('common.comma')) : place
  const apiReason = isOther ? apiReasonIn(t, row.api_reason) : undefined
  if (row.state !== 'out')
    return (
      <span className={styles.why}>
        <span title={apiReason}>{rank}</span>
        {!isExplained && (
          <span className={styles.small} title={reason}>
            {reason}
          </span>
        )}
      </span>
    )
  return (
    <span className={styles.why}>
      <span className={styles.state}>
        <Dot look={outLook(wordOf(row.state, row.reason))} />
        {reason + until}
      </span>
      <span className={styles.small}>{rank}</span>
    </span>
  )
}
