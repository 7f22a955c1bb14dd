import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

type Calendar = typeof import('./time-calendar.tsx').TimeCalendar

export interface TimeFieldProps extends Omit<TextInputProps, 'onChange' | 'value'> {
  /** As written, YYYY-MM-DD HH:mm:ss; read it with `parseTime`. */
  value: string
  onChange: (text: string) => void
}

/** A time that can be typed, or picked from a calendar. */
export function TimeField({ value, onChange, ...props }: TimeFieldProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const [Calendar, setCalendar] = useState<Calendar>()
  const toggle = async () => {
    // Fetched before the layer opens, which puts the focus on its first button.
    const { TimeCalendar } = await import('./time-calendar.tsx')
    setCalendar(() => TimeCalendar)
    setOpen(!open)
  }
  const label = typeof props.label === 'string' ? props.label : (props['aria-label'] ?? '')
  return (
    <TextInput
      placeholder="YYYY-MM-DD HH:mm:ss"
      autoComplete="off"
      {...props}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={
        <Popover opened={open} onChange={setOpen} width={284} withRoles={false}>
          <Popover.Target>
            <ActionIcon
              aria-label={t('forms.pickTime', { label })}
              aria-haspopup="dialog"
              aria-expanded={open}
              disabled={props.disabled ?? false}
              onClick={() => void toggle()}
            >
              <IconCalendar size={16} stroke={1.6} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown role="dialog" aria-label={t('forms.pickTime', { label })}>
            {Calendar && <Calendar value={value} onChange={onChange} onDone={() => setOpen(false)} />}
          </Popover.Dropdown>
        </Popover>
      }
    />
  )
}
