import { percent } from '#web/features/overview/numbers.ts'
import styles from '#web/features/overview/overview.module.css'
import { formatMinute } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

interface Props {
  buckets: readonly number[]
  requests: readonly number[]
  failed: readonly number[]
}

const failing = 0.1

/** One tick a half hour: tall and red where one in ten requests failed, short where none was sent. */
export function HealthStrip({ buckets, requests, failed }: Props) {
  const { t } = useTranslation()
  const asked = requests.reduce((sum, value) => sum + value, 0)
  const lost = failed.reduce((sum, value) => sum + value, 0)
  const isFailing = (at: number) => (requests[at] ?? 0) > 0 && (failed[at] ?? 0) / (requests[at] ?? 1) >= failing
  const times = buckets.filter((_, at) => isFailing(at)).map((at) => formatMinute(at).slice(11))
  const share = percent(asked === 0 ? 1 : 1 - lost / asked, 2)
  const words =
    asked === 0
      ? t('overview.notAsked')
      : times.length === 0
        ? t('overview.healthWords', { share })
        : t('overview.healthFailing', { share, times: times.join(', ') })
  return (
    <svg width={buckets.length * 3} height="18" role="img" aria-label={words}>
      <title>{words}</title>
      {buckets.map((bucket, at) => {
        const height = isFailing(at) ? 18 : (requests[at] ?? 0) > 0 ? 10 : 2
        const color = isFailing(at) ? 'var(--mantine-color-red-dot)' : 'var(--sy-track)'
        return <rect key={bucket} x={at * 3} y={18 - height} width="2" height={height} fill={color} />
      })}
    </svg>
  )
}

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
    </span>
  )
}
