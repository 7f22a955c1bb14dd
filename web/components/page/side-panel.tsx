import { ActionIcon } from '@mantine/core'
import { IconArrowLeft, IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'
import { rowOpeners } from '#web/lib/keys.ts'
import styles from './side-panel.module.css'

/** Pixels it takes of a wide page. */
export const panelWidth = 424

/** A list with a panel beside it: the list stays usable while an entry is read. */
export function PanelPage({ panel, children }: { panel: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.page} data-open={(panel !== null && panel !== false) || undefined}>
      <div className={styles.list}>{children}</div>
      {panel}
    </div>
  )
}

interface Props {
  /** What the panel is called by readers of the screen. */
  label: string
  title: string
  mono?: boolean
  /** One line under the title. */
  lead?: ReactNode
  /** The entry that is shown: each is read from its title on. */
  entry: string
  onClose: () => void
  /** Belongs to no list. */
  alone?: boolean
  /** The entries above and below in the list. */
  onUp?: (() => void) | undefined
  onDown?: (() => void) | undefined
  children: ReactNode
}

type Pressed = Pick<KeyboardEvent, 'key' | 'target' | 'preventDefault' | 'stopPropagation'>

/** When the panel closes, its row gets the focus, unless something else has it by then. */
function useFocusToRow(): void {
  const row = useRef<Element | null>(null)
  // Rows are drawn anew while the panel stands.
  useEffect(() => {
    row.current = document.querySelector('#main :is(tr, li)[data-open]') ?? row.current
  })
  useEffect(
    () => () => {
      // What opens it may be drawn anew where the panel stood beside it.
      if (document.activeElement === document.body) row.current?.querySelector<HTMLElement>(rowOpeners)?.focus()
    },
    [],
  )
}

/** A button that removes itself leaves nothing focused; the panel's keys work on. */
function useKeysWithoutFocus(press: (event: Pressed) => void): void {
  const latest = useRef(press)
  useEffect(() => {
    latest.current = press
  })
  useEffect(() => {
    const listen = (event: Pressed) => event.target === document.body && latest.current(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** The ways from an entry to those above and below it. */
export function waysFrom<Row>(rows: readonly Row[], shown: Row, onOpen: (row: Row) => void) {
  const way = (by: number) => {
    const next = rows[rows.indexOf(shown) + by]
    return next && (() => onOpen(next))
  }
  return { onUp: way(-1), onDown: way(1) }
}

const typing = 'input, textarea, select, [role="menu"]'

export function SidePanel({
  label,
  title,
  mono = false,
  lead,
  entry,
  alone = false,
  onClose,
  onUp,
  onDown,
  children,
}: Props) {
  const { t } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each entry is read from its title on
  useEffect(() => heading.current?.focus(), [entry])
  useFocusToRow()
  const press = (event: Pressed) => {
    if (event.target instanceof Element && event.target.closest(typing)) return
    const way = { Escape: onClose, ArrowUp: onUp, ArrowDown: onDown }[event.key]
    if (!way) return
    event.preventDefault()
    event.stopPropagation()
    way()
  }
  useKeysWithoutFocus(press)
  const step = (name: string, way: (() => void) | undefined, Icon: typeof IconX) => (
    <ActionIcon aria-label={name} disabled={!way} onClick={way}>
      <Icon size={16} stroke={1.6} aria-hidden />
    </ActionIcon>
  )
  return (
    <aside className={styles.panel} aria-label={label} onKeyDown={press}>
      <div className={styles.head}>
        <ActionIcon className={styles.back} size={40} aria-label={t('table.panel.back')} onClick={onClose}>
          <IconArrowLeft size={20} stroke={1.6} aria-hidden />
        </ActionIcon>
        <h2 ref={heading} tabIndex={-1} className={styles.title} data-mono={mono || undefined}>
          {title}
        </h2>
        {!alone && step(t('table.panel.up'), onUp, IconChevronUp)}
        {!alone && step(t('table.panel.down'), onDown, IconChevronDown)}
        <ActionIcon className={styles.close} aria-label={t('common.close')} onClick={onClose}>
          <IconX size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      </div>
      {lead && <p className={styles.lead}>{lead}</p>}
      {children}
    </aside>
  )
}
