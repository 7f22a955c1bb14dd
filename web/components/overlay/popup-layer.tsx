import { Popover } from '@mantine/core'
import { cloneElement, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react'
import styles from './popup.module.css'

export interface PopupProps {
  /** The button that opens it. */
  target: ReactElement<Record<string, unknown>>
  /** What it is called by readers of the screen. */
  label: string
  width?: number
  position?: 'bottom-start' | 'bottom-end'
  children: (close: () => void) => ReactNode
}

/** Opens at once: it is drawn when its button has been pressed for the first time. */
export function PopupLayer({ target, label, width, position = 'bottom-end', children }: PopupProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  useEffect(() => {
    // The button is a new element now; closing gives the focus back to it.
    button.current?.focus()
    setOpen(true)
  }, [])
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position={position}
      width={width ?? 'max-content'}
      withRoles={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        {cloneElement(target, {
          ref: button,
          'aria-haspopup': 'dialog',
          'aria-expanded': open,
          onClick: () => setOpen(!open),
        })}
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label} className={styles.box}>
        {children(() => setOpen(false))}
      </Popover.Dropdown>
    </Popover>
  )
}
