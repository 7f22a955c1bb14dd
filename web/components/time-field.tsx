<<<<<<< HEAD
import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'

const Calendar = lazy(async () => ({ default: (await import('./time-calendar.tsx')).TimeCalendar }))

export interface TimeFieldProps extends Omit<TextInputProps, 'onChange' | 'value'> {
  /** As written, YYYY-MM-DD HH:mm:ss; read it with `parseTime`. */
  value: string
  onChange: (text: string) => void
}

/** A time that can be typed, or picked from a calendar. */
export function TimeField({ value, onChange, ...props }: TimeFieldProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const label = typeof props.label === 'string' ? props.label : (props['aria-label'] ?? '')
  return (
    <TextInput
      placeholder="YYYY-MM-DD HH:mm:ss"
      autoComplete="off"
      {...props}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={
        <Popover opened={open} onChange={setOpen} withRoles={false}>
          <Popover.Target>
            <ActionIcon
              aria-label={t('forms.pickTime', { label })}
              aria-haspopup="dialog"
              aria-expanded={open}
              disabled={props.disabled ?? false}
              onClick={() => setOpen(!open)}
            >
              <IconCalendar size={16} stroke={1.6} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown role="dialog" aria-label={t('forms.pickTime', { label })}>
            <Suspense>
              <Calendar value={value} onChange={onChange} onDone={() => setOpen(false)} />
            </Suspense>
          </Popover.Dropdown>
        </Popover>
      }
=======
import { DateInput } from '@mantine/dates'
import '@mantine/dates/styles.css'
import 'dayjs/locale/zh-cn'
import { useTranslation } from 'react-i18next'
import { formatTime } from '#web/lib/format.ts'

interface Props {
  label: string
  /** Epoch seconds. */
  value: number
  onChange: (epochSeconds: number) => void
  /** What an emptied field means. */
  whenEmpty: number
}

const format = 'YYYY-MM-DD HH:mm:ss'

/** A local time, typed or picked from a calendar. */
export function TimeField({ label, value, onChange, whenEmpty }: Props) {
  const { t, i18n } = useTranslation()
  const locale = i18n.language === 'zh' ? 'zh-cn' : 'en'
  const words = {
    nextMonth: t('calendar.nextMonth'),
    previousMonth: t('calendar.previousMonth'),
    nextYear: t('calendar.nextYear'),
    previousYear: t('calendar.previousYear'),
    nextDecade: t('calendar.nextDecade'),
    previousDecade: t('calendar.previousDecade'),
    monthLevelControl: t('calendar.chooseMonth'),
    yearLevelControl: t('calendar.chooseYear'),
  }
  return (
    <DateInput
      label={label}
      value={formatTime(value)}
      onChange={(text) => onChange(text === null ? whenEmpty : Math.floor(new Date(text.replace(' ', 'T')).getTime() / 1000))}
      valueFormat={format}
      placeholder={format}
      withTime
      allowDeselect
      locale={locale}
      ariaLabels={words}
      popoverProps={{ portalProps: { target: '#floating' }, position: 'bottom-start' }}
>>>>>>> 70ea18d (wip)
    />
  )
}
