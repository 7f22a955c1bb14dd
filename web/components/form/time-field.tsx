import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { reportFailure } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'

export interface TimeFieldProps extends Omit<TextInputProps, 'onChange' | 'value'> {
  /** As written, YYYY-MM-DD HH:mm:ss; read it with `parseTime`. */
  value: string
  onChange: (text: string) => void
}

const load = () => import('./time-layer.tsx')
const TimeLayer = lazy(async () => ({ default: (await load()).TimeLayer }))

/** A time that can be typed, or picked from a calendar, which is fetched when it is first opened. */
export function TimeField({ value, onChange, ...props }: TimeFieldProps) {
  const { t } = useTranslation()
  const [armed, setArmed] = useState(false)
  const label = t('forms.pickTime', {
    label: typeof props.label === 'string' ? props.label : (props['aria-label'] ?? ''),
  })
  const button = (
    <ActionIcon
      aria-label={label}
      aria-haspopup="dialog"
      aria-expanded={false}
      disabled={props.disabled ?? false}
      onClick={() => void load().then(() => setArmed(true), reportFailure)}
    >
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
      rightSection={
        armed ? (
          <Suspense fallback={button}>
            <TimeLayer label={label} value={value} onChange={onChange} target={button} />
          </Suspense>
        ) : (
          button
        )
      }
    />
  )
}
