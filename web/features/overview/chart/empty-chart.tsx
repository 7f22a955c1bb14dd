import { Button } from '@mantine/core'
import styles from '#web/features/overview/overview.module.css'
import { periodNames } from '#web/features/overview/period/period.ts'
import type { OverviewState } from '#web/features/overview/use-overview.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** The frame stays and says what is missing, with one way out. */
export function EmptyChart({ state }: { state: OverviewState }) {
  const { t } = useTranslation()
  const { name } = state.period
  const longer = name === 'custom' ? '90d' : periodNames[periodNames.indexOf(name) + 1]
  if (state.chips.length > 0)
    return (
      <div className={styles.emptyChart}>
        <strong>
          {t('overview.noMatch', { filter: state.chips.map(({ value }) => value).join(t('common.comma')) })}
        </strong>
        <Button onClick={state.clear}>{t('overview.clearFilters')}</Button>
      </div>
    )
  return (
    <div className={styles.emptyChart}>
      <strong>{t('overview.empty')}</strong>
      {longer && (
        <Button onClick={() => state.choosePeriod(longer)}>
          {t('overview.showLonger', { period: t(`overview.periods.${longer}`) })}
        </Button>
      )}
    </div>
  )
}
