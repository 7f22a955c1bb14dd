import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Popup } from '#web/components/overlay/popup.tsx'
import { formatDate, nowSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './overview.module.css'
import { periodNames } from './period.ts'
import type { OverviewState } from './use-overview.ts'

const dayOf = (text: string, more: number): number => {
  const [year = 0, month = 1, day = 1] = text.split('-').map(Number)
  return new Date(year, month - 1, day + more).getTime() / 1000
}

export function PeriodPicker({ state }: { state: OverviewState }) {
  const { t } = useTranslation()
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
      <CustomPeriod state={state} />
    </fieldset>
  )
}

function CustomPeriod({ state }: { state: OverviewState }) {
  const { t } = useTranslation()
  const target = (
    <button type="button" className={styles.segment} aria-pressed={state.period.name === 'custom'}>
      {t('overview.custom')}
    </button>
  )
  return (
    <Popup target={target} label={t('overview.custom')}>
      {(close) => <CustomForm state={state} onDone={close} />}
    </Popup>
  )
}

function CustomForm({ state, onDone }: { state: OverviewState; onDone: () => void }) {
  const { t } = useTranslation()
  const [from, setFrom] = useState(formatDate(state.period.from))
  const [to, setTo] = useState(formatDate(Math.min(nowSeconds(), state.period.to - 1)))
  const range = { from: dayOf(from, 0), to: dayOf(to, 1) }
  const isGood = range.from > 0 && range.from < range.to
  return (
    <form
      className={styles.custom}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isGood) return
        state.choosePeriod('custom', range)
        onDone()
      }}
    >
      <TextInput
        type="date"
        label={t('overview.customFrom')}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label={t('overview.customTo')}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Button type="submit" disabled={!isGood}>
        {t('overview.apply')}
      </Button>
    </form>
  )
}

export function CompareBox({ state }: { state: OverviewState }) {
  const { t } = useTranslation()
  const { from, to, compareFrom } = state.period
  const dates = { from: formatDate(compareFrom), to: formatDate(compareFrom + (to - from) - 1) }
  return (
    <Checkbox
      label={t('overview.compare', dates)}
      checked={state.compare}
      onChange={(event) => state.set('compare', event.currentTarget.checked ? '1' : '')}
    />
  )
}
