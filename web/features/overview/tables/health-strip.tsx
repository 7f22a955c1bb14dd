import { percentOfAll } from '#web/features/overview/numbers.ts'
import styles from '#web/features/overview/overview.module.css'
import { formatClock } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { answeredShare, type ChannelHours, type Tick, ticksOf } from './health.ts'

interface Props extends ChannelHours {
  /** Null when it does not rest now. */
  restsUntil: string | null
}

/** One tick a half hour: its shape says how the channel fared, and the sentence says the same. */
export function HealthStrip({ restsUntil, ...given }: Props) {
  const { t } = useTranslation()
  const { buckets, requests, failed } = given
  const ticks = ticksOf(given, restsUntil !== null)
  const at = (wanted: Tick) => buckets.filter((_, bucket) => ticks[bucket] === wanted).map(formatClock)
  const troubles = (['failing', 'resting', 'limited'] as const)
    .map((wanted) => [wanted, at(wanted).join(t('common.comma'))] as const)
    .filter(([wanted, times]) => times !== '' && (wanted !== 'resting' || restsUntil === null))
    .map(([wanted, times]) => t(`overview.healthAt.${wanted}`, { times }))
  const share = answeredShare(requests, failed)
  const words = [
    share === null ? t('overview.notAsked') : t('overview.healthWords', { share: percentOfAll(share) }),
    ...troubles,
    ...(restsUntil === null ? [] : [t('overview.restsUntil', { time: restsUntil })]),
  ].join(t('common.comma'))
  return (
    <svg
      width={buckets.length * 4}
      height="18"
      viewBox={`0 0 ${buckets.length * 4} 18`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      {buckets.map((bucket, index) => (
        <Shape key={bucket} x={index * 4} tick={ticks[index] ?? 'idle'} />
      ))}
    </svg>
  )
}

/** Height and outline differ, not only colour. */
function Shape({ x, tick }: { x: number; tick: Tick }) {
  if (tick === 'resting')
    return <rect x={x + 0.5} y="8.5" width="2" height="9" fill="none" stroke="var(--mantine-color-orange-dot)" />
  if (tick === 'failing') return <rect x={x} width="3" height="18" fill="var(--mantine-color-red-dot)" />
  const height = tick === 'idle' ? 2 : 10
  return (
    <>
      <rect x={x} y={18 - height} width="3" height={height} fill="var(--sy-track)" />
      {tick === 'limited' && <rect x={x} y="4" width="3" height="7" fill="var(--mantine-color-yellow-dot)" />}
    </>
  )
}

const shapes = ['answering', 'limited', 'failing', 'resting', 'idle'] as const

/** What the shapes of the strip mean. */
export function HealthLegend() {
  const { t } = useTranslation()
  return (
    <span className={styles.legendLine}>
      {shapes.map((tick) => (
        <span key={tick}>
          <svg width="3" height="18" aria-hidden="true">
            <Shape x={0} tick={tick} />
          </svg>
          {t(`overview.legend.${tick}`)}
        </span>
      ))}
    </span>
  )
}
