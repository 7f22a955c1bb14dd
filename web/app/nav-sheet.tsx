import { FocusTrap, RemoveScroll } from '@mantine/core'
import { useHotkeys, useMediaQuery } from '@mantine/hooks'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { cutUsername } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUser } from '#web/state/session.tsx'
import type { NavItem } from './nav-items.ts'
import styles from './shell.module.css'
import { useSignOut } from './use-sign-out.ts'

/** The navigation on a phone: a full sheet under the bar. */
export function NavSheet({ items, onClose }: { items: NavItem[]; onClose: () => void }) {
  const { t } = useTranslation()
  const { user } = useUser()
  const signOut = useSignOut()
  const wide = useMediaQuery('(min-width: 48em)', false, { getInitialValueInEffect: false })
  useHotkeys([['Escape', onClose]])
  useEffect(() => {
    if (wide) onClose()
  }, [wide, onClose])
  return (
    <RemoveScroll forwardProps>
      <FocusTrap>
        <nav className={styles.sheet} aria-label={t('shell.navigation')}>
          {items.map(({ page, current }) => (
            <Link key={page.path} to={page.path} aria-current={current} className={styles.row} onClick={onClose}>
              {t(`pages.${page.name}`)}
            </Link>
          ))}
          {user ? (
            <button
              type="button"
              className={styles.row}
              onClick={() => {
                onClose()
                signOut()
              }}
            >
              {t('shell.signOut')} <span className="dimmed">{cutUsername(user.username)}</span>
            </button>
          ) : (
            <Link to="/login" className={styles.row} onClick={onClose}>
              {t('pages.login')}
            </Link>
          )}
        </nav>
      </FocusTrap>
    </RemoveScroll>
  )
}
