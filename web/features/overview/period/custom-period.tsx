import '@mantine/dates/styles.css'
import 'dayjs/locale/zh-cn'
import { TextInput } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { useEffect, useRef, useState } from 'react'
import { wholeDay } from '#web/features/overview/day-names.ts'
import styles from '#web/features/overview/overview.module.css'
import type { OverviewState } from '#web/features/overview/use-overview.ts'
import { formatDate, nowSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { dayStart, rangeNames, rangeOf, usualRange } from './custom-range.ts'

const format = 'YYYY-MM-DD'
const dayOrNone = (text: string): string | null => (dayStart(text) === null ? null : text.trim())

/** Days typed or picked; it stays open until both ends stand. */
export function CustomPeriod({ state, onDone }: { state: OverviewState; onDone: () => void }) {
  const { t, language } = useTranslation()
  const [first, setFirst] = useState(formatDate(state.period.from))
  const [last, setLast] = useState(formatDate(Math.min(nowSeconds(), state.period.to - 1)))
  const [month, setMonth] = useState(last)
  const range = rangeOf(first, last)
  const box = useRef<HTMLFormElement>(null)
  // The layer was there before its fields.
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  const choose = (from: string, to: string) => {
    setFirst(from)
    setLast(to)
    const chosen = rangeOf(from, to)
    if (!chosen) return
    state.choosePeriod('custom', chosen)
    onDone()
  }
  const field = (label: string, value: string, onChange: (text: string) => void) => (
    <TextInput
      data-autofocus={label === t('overview.customFrom') || undefined}
      label={label}
      placeholder={format}
      autoComplete="off"
      value={value}
      error={value !== '' && (dayStart(value) === null || (range === null && dayOrNone(first) !== null))}
      onChange={({ currentTarget: { value: text } }) => {
        onChange(text)
        if (dayStart(text) !== null) setMonth(text.trim())
      }}
    />
  )
  return (
    <form
      ref={box}
      className={styles.calendar}
      onSubmit={(event) => {
        event.preventDefault()
        choose(first, last)
      }}
    >
      <div className={styles.ends}>
        {field(t('overview.customFrom'), first, setFirst)}
        {field(t('overview.customTo'), last, setLast)}
      </div>
      <DatePicker
        type="range"
        allowSingleDateInRange
        size="xs"
        className={styles.days}
        getDayProps={(day) => ({ 'aria-label': wholeDay(dayStart(day) ?? 0) })}
        locale={language === 'zh' ? 'zh-cn' : 'en'}
        weekendDays={[]}
        maxLevel="year"
        date={month}
        onDateChange={setMonth}
        value={[dayOrNone(first), dayOrNone(last)]}
        onChange={([from, to]) => choose(from ?? '', to ?? '')}
        ariaLabels={{
          nextMonth: t('forms.nextMonth'),
          previousMonth: t('forms.previousMonth'),
          monthLevelControl: t('forms.chooseMonth'),
          yearLevelControl: t('forms.chooseYear'),
        }}
      />
      <div className={styles.usual}>
        {rangeNames.map((name) => (
          <button
            key={name}
            type="button"
            className={styles.link}
            onClick={() => choose(...usualRange(name, new Date()))}
          >
            {t(`overview.ranges.${name}`)}
          </button>
        ))}
      </div>
      <button type="submit" hidden />
    </form>
  )
}
