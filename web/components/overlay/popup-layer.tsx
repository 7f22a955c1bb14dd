import { Popover } from '@mantine/core'
import type { ReactNode } from 'react'
import { Anchor, useShown } from './anchor.tsx'
import type { Hanging } from './on-demand.tsx'
import styles from './popup.module.css'

export interface PopupProps {
  /** What it is called by readers of the screen. */
  label: string
  width?: number
  position?: 'bottom-start' | 'bottom-end'
  children: (close: () => void) => ReactNode
}

export function PopupLayer({ label, width, position = 'bottom-end', children, ...on }: PopupProps & Hanging) {
  const { anchor, opened, onChange } = on
  return (
    <Popover
      opened={useShown(opened)}
      onChange={onChange}
      position={position}
      width={width ?? 'max-content'}
      withRoles={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Anchor on={anchor} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label} className={styles.box}>
        {children(() => onChange(false))}
      </Popover.Dropdown>
    </Popover>
  )
}
