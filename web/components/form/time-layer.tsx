import { Popover } from '@mantine/core'
import { cloneElement, type ReactElement, useEffect, useRef, useState } from 'react'
import { TimeCalendar } from './time-calendar.tsx'

interface Props {
  label: string
  value: string
  onChange: (text: string) => void
  /** The button that opens it. */
  target: ReactElement<Record<string, unknown>>
}

/** The calendar under its button. Opens at once: it is drawn when the button has been pressed for the first time. */
export function TimeLayer({ label, value, onChange, target }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  useEffect(() => {
    // The button is a new element now; closing the calendar gives the focus back to it.
    button.current?.focus()
    setOpen(true)
  }, [])
  return (
    <Popover opened={open} onChange={setOpen} width={284} withRoles={false}>
      <Popover.Target>
        {cloneElement(target, { ref: button, 'aria-expanded': open, onClick: () => setOpen(!open) })}
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label}>
        <TimeCalendar value={value} onChange={onChange} onDone={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}
