import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Log } from '#shared/api/logs.ts'
import { formatTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './logs.module.css'
import { rowText } from './row-text.ts'

/** The rows' way into the panel. */
export interface Opening {
  /** What the address names; '' when the panel is closed. */
  readonly open: string
  readonly toggle: (row: Log) => void
}

/** What the address calls a row: its request, or its own number when it is none. */
export const openKey = (row: Log): string => row.request_id || `row-${row.id}`

/** Where the focus goes back to when the panel closes. */
export const openerId = (key: string): string => `open-${key}`

/** Opens everything the row says beside the list. */
export function LogOpener({ row, opening, children }: { row: Log; opening: Opening; children: ReactNode }) {
  const { t } = useTranslation()
  const label = t('logs.explain', { time: formatTime(row.created_at) })
  const text = rowText(t, row)
  return (
    <UnstyledButton
      id={openerId(openKey(row))}
      className={styles.opener}
      aria-expanded={opening.open === openKey(row)}
      aria-label={text === '' ? label : `${label}: ${text}`}
      onClick={() => opening.toggle(row)}
    >
      {children}
    </UnstyledButton>
  )
}
