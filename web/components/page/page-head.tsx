import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './page-head.module.css'

interface Props {
  title: string
  /** "38 in total" beside the title. */
  count?: ReactNode
  /** Where the page belongs: a link before the title. */
  crumb?: { label: string; to: string }
  /** Search, sort and such, at the right. */
  children?: ReactNode
}

export function PageHead({ title, count, crumb, children }: Props) {
  return (
    <div className={styles.head}>
      <div className={styles.titles}>
        {crumb && (
          <>
            <Link to={crumb.to} className={styles.crumb}>
              {crumb.label}
            </Link>
            <span className={styles.slash} aria-hidden="true">
              /
            </span>
          </>
        )}
        <h1 className={styles.title}>{title}</h1>
        {count !== undefined && <span className={styles.count}>{count}</span>}
      </div>
      {children && <div className={styles.tools}>{children}</div>}
    </div>
  )
}
