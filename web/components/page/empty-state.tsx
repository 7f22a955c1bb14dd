import type { ReactNode } from 'react'
import { Mark } from '#web/components/identity/mark.tsx'
import styles from './empty-state.module.css'

interface Props {
  /** What is missing. */
  title: string
  /** What to do about it. */
  hint?: ReactNode
  /** A link or a button. */
  children?: ReactNode
  /** Fills a page whose heading it is. */
  page?: boolean
}

export function EmptyState({ title, hint, children, page = false }: Props) {
  const Title = page ? 'h1' : 'p'
  return (
    <div className={styles.empty} data-page={page || undefined}>
      <Mark size={32} />
      <Title className={styles.title}>{title}</Title>
      {hint && <p className={styles.hint}>{hint}</p>}
      {children && <div className={styles.action}>{children}</div>}
    </div>
  )
}
