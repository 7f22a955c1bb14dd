import { useTranslation } from '#web/lib/i18n.ts'
import styles from './overview.module.css'

/** Every chart has a table of the same numbers. */
export function ViewSwitch({ view, onChange }: { view: string; onChange: (view: 'chart' | 'table') => void }) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{t('overview.view')}</legend>
      {(['chart', 'table'] as const).map((each) => (
        <button
          key={each}
          type="button"
          className={styles.segment}
          aria-pressed={view === each}
          onClick={() => onChange(each)}
        >
          {t(`overview.${each}`)}
        </button>
      ))}
    </fieldset>
  )
}
