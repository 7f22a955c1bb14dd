import { useId } from 'react'
import { Link } from 'react-router'
import { Dot } from '#web/components/data/state-dot.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { NavItem } from './nav-items.ts'
import styles from './nav-link.module.css'

interface Props {
  item: NavItem
  className: string | undefined
  onClick?: () => void
}

/** An item of the navigation, and how much waits there; its page is fetched as the pointer comes near. */
export function NavLink({ item: { page, name, current, waiting }, className, onClick }: Props) {
  const { t } = useTranslation()
  const count = useId()
  const preload = () => void page.load().catch(() => undefined)
  return (
    <div className={styles.place}>
      <Link
        to={page.path}
        aria-current={current}
        aria-describedby={waiting > 0 ? count : undefined}
        className={className}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={onClick}
      >
        {t(`pages.${name}`)}
      </Link>
      {waiting > 0 && (
        <span id={count} role="img" aria-label={t('shell.waiting', { count: waiting })} className={styles.waiting}>
          <Dot look={{ color: 'orange', dot: 'half' }} />
          {waiting}
        </span>
      )}
    </div>
  )
}
