import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { onDemand } from '#web/components/overlay/on-demand.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { CalendarProps } from './time-layer.tsx'

export interface TimeFieldProps extends Omit<TextInputProps, 'onChange' | 'value'> {
  /** As written, YYYY-MM-DD HH:mm:ss; read it with `parseTime`. */
  value: string
  onChange: (text: string) => void
}

const Calendar = onDemand<CalendarProps>('dialog', async () => (await import('./time-layer.tsx')).TimeLayer)

/** A time that can be typed, or picked from a calendar, which is fetched when it is first opened. */
export function TimeField({ value, onChange, ...props }: TimeFieldProps) {
  const { t } = useTranslation()
  const label = t('forms.pickTime', {
    label: typeof props.label === 'string' ? props.label : (props['aria-label'] ?? ''),
  })
  const button = (
    <ActionIcon aria-label={label} disabled={props.disabled ?? false}>
      <IconCalendar size={16} stroke={1.6} aria-hidden />
    </ActionIcon>
  )
  return (
    <TextInput
      placeholder="YYYY-MM-DD HH:mm:ss"
      autoComplete="off"
      {...props}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={<Calendar target={button} label={label} value={value} onPick={onChange} />}
    />
  )
}
