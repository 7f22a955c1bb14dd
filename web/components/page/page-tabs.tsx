import { Link } from 'react-router'
import styles from './page-tabs.module.css'

interface Tab {
  to: string
  name: string
  current: boolean
}

/** Pages that belong together, as text tabs under their title; each has an address of its own. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ to, name, current }) => (
        <Link key={to} to={to} className={styles.tab} aria-current={current ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
}
