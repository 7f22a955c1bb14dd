import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './filters.module.css'

interface Props {
  field: string
  value: string
  /** Whether it is all but this. */
  leaveOut: boolean
  onRemove: () => void
}

/** The next thing to press in the row: of the chip that goes away nothing is left to hold the focus. */
const buttonAfter = ({ parentElement }: HTMLElement): HTMLElement | null | undefined => {
  const next = parentElement?.nextElementSibling
  return next instanceof HTMLButtonElement ? next : next?.querySelector('button')
}

/** A filter that is set, and the way to take it away. */
export function FilterChip({ field, value, leaveOut, onRemove }: Props) {
  const { t } = useTranslation()
  return (
    <span className={styles.chip}>
      <span className="dimmed">{leaveOut ? t('filters.fieldIsNot', { field }) : field}</span>
      <strong title={value}>{value}</strong>
      <button
        type="button"
        className={styles.close}
        aria-label={t('filters.remove', { field, value })}
        onClick={({ currentTarget }) => {
          buttonAfter(currentTarget)?.focus()
          onRemove()
        }}
      >
        <IconX size={14} stroke={1.6} aria-hidden />
      </button>
    </span>
  )
}

/** The filters that are set, in one row under the head. */
export const FilterRow = ({ children }: { children: ReactNode }) => <div className={styles.chips}>{children}</div>
