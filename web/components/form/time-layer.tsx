import { Popover } from '@mantine/core'
import { Anchor, useShown } from '#web/components/overlay/anchor.tsx'
import type { Hanging } from '#web/components/overlay/on-demand.tsx'
import { TimeCalendar } from './time-calendar.tsx'

export interface CalendarProps {
  label: string
  value: string
  onPick: (text: string) => void
}

/** The calendar under its button. */
export function TimeLayer({ anchor, opened, onChange, label, value, onPick }: CalendarProps & Hanging) {
  return (
    <Popover opened={useShown(opened)} onChange={onChange} width={284} withRoles={false}>
      <Popover.Target>
        <Anchor on={anchor} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label}>
        <TimeCalendar value={value} onChange={onPick} onDone={() => onChange(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}
