import { Menu } from '@mantine/core'
import { Anchor, useShown } from './anchor.tsx'
import styles from './menu-layer.module.css'
import type { Hanging } from './on-demand.tsx'

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

export interface MenuProps {
  entries: readonly MenuEntry[]
  position?: 'bottom-end' | 'top-start'
}

export function MenuLayer({ anchor, opened, onChange, entries, position = 'bottom-end' }: MenuProps & Hanging) {
  return (
    <Menu id={anchor.id} opened={useShown(opened)} onChange={onChange} position={position}>
      <Menu.Target>
        <Anchor on={anchor} />
      </Menu.Target>
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
