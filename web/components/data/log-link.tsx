import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './log-link.module.css'

/** What was used, leading to the rows it comes from. */
export function LogLink({ to, name, children }: { to: string; name: string; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Link to={to} className={styles.link} title={t('common.logOf', { name })}>
      {children}
    </Link>
  )
}
