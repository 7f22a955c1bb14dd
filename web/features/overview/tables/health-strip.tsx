import { percent } from '#web/features/overview/numbers.ts'
import styles from '#web/features/overview/overview.module.css'
import { formatMinute } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

interface Props {
  buckets: readonly number[]
  requests: readonly number[]
  failed: readonly number[]
  /** Null when it does not rest now. */
  restsUntil: string | null
}

const failing = 0.1

/** One tick a half hour: tall and red where one in ten requests failed, short where none was sent. */
export function HealthStrip({ buckets, requests, failed, restsUntil }: Props) {
  const { t } = useTranslation()
  const asked = requests.reduce((sum, value) => sum + value, 0)
  const lost = failed.reduce((sum, value) => sum + value, 0)
  const isFailing = (at: number) => (requests[at] ?? 0) > 0 && (failed[at] ?? 0) / (requests[at] ?? 1) >= failing
  const times = buckets.filter((_, at) => isFailing(at)).map((at) => formatMinute(at).slice(11))
  const share = percent(asked === 0 ? 1 : 1 - lost / asked, 2)
  const fared =
    asked === 0
      ? t('overview.notAsked')
      : times.length === 0
        ? t('overview.healthWords', { share })
        : t('overview.healthFailing', { share, times: times.join(', ') })
  const words = restsUntil === null ? fared : `${fared}, ${t('overview.restsUntil', { time: restsUntil })}`
  return (
    <svg width={buckets.length * 4} height="18" role="img" aria-label={words}>
      <title>{words}</title>
      {buckets.map((bucket, at) => {
        if (restsUntil !== null && at === buckets.length - 1) return <Rest key={bucket} x={at * 4} />
        const height = isFailing(at) ? 18 : (requests[at] ?? 0) > 0 ? 10 : 2
        const color = isFailing(at) ? 'var(--mantine-color-red-dot)' : 'var(--sy-track)'
        return <rect key={bucket} x={at * 4} y={18 - height} width="3" height={height} fill={color} />
      })}
    </svg>
  )
}

/** Passed over for a while after failures. */
const Rest = ({ x }: { x: number }) => (
  <rect x={x + 0.5} y="8.5" width="2" height="9" fill="none" stroke="var(--mantine-color-orange-dot)" />
)

/** What the shapes of the strip mean. */
export function HealthLegend() {
  const { t } = useTranslation()
  const shapes = [
    ['answering', 10, 'var(--sy-track)'],
    ['failing', 18, 'var(--mantine-color-red-dot)'],
    ['idle', 2, 'var(--sy-track)'],
  ] as const
  return (
    <span className={styles.legendLine}>
      {shapes.map(([name, height, color]) => (
        <span key={name}>
          <svg width="3" height="18" aria-hidden="true">
            <rect y={18 - height} width="3" height={height} fill={color} />
          </svg>
          {t(`overview.legend.${name}`)}
        </span>
      ))}
      <span>
        <svg width="3" height="18" aria-hidden="true">
          <Rest x={0} />
        </svg>
        {t('overview.legend.resting')}
      </span>
    </span>
  )
}
