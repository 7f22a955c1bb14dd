import { Menu } from '@mantine/core'
import { cloneElement, type ReactElement, useEffect, useRef, useState } from 'react'
import styles from './menu-layer.module.css'

export interface MenuEntry {
  label: string
  /** A figure at the right. */
  beside?: string
  run: () => unknown
  disabled?: boolean
  /** Deletes something. */
  danger?: boolean
  /** What is chosen now. */
  current?: boolean
  lang?: string
}

interface Props {
  target: ReactElement<Record<string, unknown>>
  entries: readonly MenuEntry[]
  position?: 'bottom-end' | 'top-start'
}

/** Opens at once: it is drawn when its button has been pressed for the first time. */
export function MenuLayer({ target, entries, position = 'bottom-end' }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    // The button is a new element now; closing the menu gives the focus back to it.
    button.current?.focus()
    setOpened(true)
  }, [])
  return (
    <Menu opened={opened} onChange={setOpened} position={position}>
      <Menu.Target>{cloneElement(target, { ref: button })}</Menu.Target>
      <Menu.Dropdown>
        {entries.map(({ label, beside, run, disabled = false, danger = false, current = false, lang }) => (
          <Menu.Item
            key={`${label} ${beside ?? ''}`}
            className={styles.entry}
            disabled={disabled}
            color={danger ? 'red' : undefined}
            aria-current={current ? 'true' : undefined}
            lang={lang}
            onClick={() => void run()}
            rightSection={beside ? <span className={styles.beside}>{beside}</span> : undefined}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
