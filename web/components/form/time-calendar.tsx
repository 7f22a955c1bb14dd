import '@mantine/dates/styles.css'
import 'dayjs/locale/zh-cn'
import { InlineDateTimePicker } from '@mantine/dates'
import { formatTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { parseTime } from '#web/lib/input/parse-time.ts'

interface Props {
  value: string
  onChange: (text: string) => void
  onDone: () => void
}

/** Days and a clock. */
export function TimeCalendar({ value, onChange, onDone }: Props) {
  const { t, language } = useTranslation()
  const at = parseTime(value)
  return (
    <InlineDateTimePicker
      locale={language === 'zh' ? 'zh-cn' : 'en'}
      withSeconds
      weekendDays={[]}
      hideOutsideDates
      value={at === null ? null : formatTime(at)}
      onChange={(next) => onChange(next ?? '')}
      onSubmit={onDone}
      ariaLabels={{
        nextMonth: t('forms.nextMonth'),
        previousMonth: t('forms.previousMonth'),
        monthLevelControl: t('forms.chooseMonth'),
        yearLevelControl: t('forms.chooseYear'),
      }}
      timePickerProps={{
        hoursInputLabel: t('forms.hours'),
        minutesInputLabel: t('forms.minutes'),
        secondsInputLabel: t('forms.seconds'),
      }}
      submitButtonProps={{ 'aria-label': t('forms.pickDone') }}
    />
  )
}
