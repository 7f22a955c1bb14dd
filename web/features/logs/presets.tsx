import { useTranslation } from '#web/lib/i18n.ts'
import styles from './logs.module.css'
import type { FilterState } from './use-log-filter.ts'

const hour = 3600
const day = 24 * hour
const spans = { hour, day, week: 7 * day, month: 30 * day, all: 0 } as const
const names = ['hour', 'day', 'week', 'month', 'all'] as const

/** The usual stretches of time, up to now. */
export function Presets({ filter, isDay, since }: FilterState) {
  const { t } = useTranslation()
  const pressed = (name: (typeof names)[number]) =>
    (name === 'day' && isDay) || (name === 'all' && filter.start_timestamp === 0 && filter.end_timestamp === 0)
  return (
    <fieldset className={styles.presets} aria-label={t('logs.presets.label')}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          className={styles.preset}
          aria-pressed={pressed(name)}
          onClick={() => since(spans[name])}
        >
          {t(`logs.presets.${name}`)}
        </button>
      ))}
    </fieldset>
  )
}
