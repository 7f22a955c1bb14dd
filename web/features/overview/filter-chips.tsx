import { IconX } from '@tabler/icons-react'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './overview.module.css'
import type { OverviewState } from './use-overview.ts'

export function FilterChips({ state }: { state: OverviewState }) {
  const { t } = useTranslation()
  return (
    <div className={styles.chips}>
      {state.chips.map((chip) => {
        const field = t(`overview.fields.${chip.field}`)
        return (
          <span key={`${chip.field} ${chip.value}`} className={styles.chip}>
            <span className="dimmed">{t(chip.leaveOut ? 'overview.isNot' : 'overview.is', { field })}</span>
            <strong>{chip.value}</strong>
            <button
              type="button"
              className={styles.close}
              aria-label={t('overview.remove', { field, value: chip.value })}
              onClick={() => state.toggle(chip)}
            >
              <IconX size={14} stroke={1.6} aria-hidden />
            </button>
          </span>
        )
      })}
      <span className={styles.hint}>{t('overview.hint')}</span>
    </div>
  )
}
