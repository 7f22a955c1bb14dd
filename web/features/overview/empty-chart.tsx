import { Button } from '@mantine/core'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './overview.module.css'
import type { OverviewState } from './use-overview.ts'

/** The frame stays and says what is missing, with one way out. */
export function EmptyChart({ state }: { state: OverviewState }) {
  const { t } = useTranslation()
  const isFiltered = state.chips.length > 0
  return (
    <div className={styles.emptyChart}>
      <strong>{t('overview.empty')}</strong>
      {isFiltered ? (
        <Button onClick={state.clear}>{t('overview.clearFilters')}</Button>
      ) : (
        state.period.name !== '90d' && (
          <Button onClick={() => state.choosePeriod('90d')}>{t('overview.showLonger')}</Button>
        )
      )}
    </div>
  )
}
