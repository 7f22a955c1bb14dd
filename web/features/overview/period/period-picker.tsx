import { Checkbox } from '@mantine/core'
import { lazy, Suspense, useId } from 'react'
import { Popup } from '#web/components/overlay/popup.tsx'
import { shortDay } from '#web/features/overview/day-names.ts'
import styles from '#web/features/overview/overview.module.css'
import type { OverviewState } from '#web/features/overview/use-overview.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { periodNames } from './period.ts'

const load = () => import('./custom-period.tsx')
const CustomPeriod = lazy(async () => ({ default: (await load()).CustomPeriod }))

export function PeriodPicker({ state }: { state: OverviewState }) {
  const { t } = useTranslation()
  const id = useId()
  const target = (
    <button type="button" id={id} className={styles.segment} aria-pressed={state.period.name === 'custom'}>
      {t('overview.custom')}
    </button>
  )
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{t('overview.period')}</legend>
      {periodNames.map((name) => (
        <button
          key={name}
          type="button"
          className={styles.segment}
          aria-pressed={state.period.name === name}
          onClick={() => state.choosePeriod(name)}
        >
          {t(`overview.periods.${name}`)}
        </button>
      ))}
      <Popup target={target} label={t('overview.custom')} width={268}>
        {(close) => (
          <Suspense fallback={<div className={styles.calendar} />}>
            <CustomPeriod
              state={state}
              onDone={() => {
                close()
                // The page is drawn anew with the period first.
                setTimeout(() => document.getElementById(id)?.focus(), 50)
              }}
            />
          </Suspense>
        )}
      </Popup>
    </fieldset>
  )
}

export function CompareBox({ state }: { state: OverviewState }) {
  const { t } = useTranslation()
  const { from, to, compareFrom } = state.period
  const dates = { from: shortDay(compareFrom), to: shortDay(compareFrom + (to - from) - 1) }
  return (
    <Checkbox
      label={t('overview.compare', dates)}
      checked={state.compare}
      onChange={(event) => state.set('compare', event.currentTarget.checked ? '1' : '')}
    />
  )
}
