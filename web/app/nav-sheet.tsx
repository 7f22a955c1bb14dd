import { FocusTrap, RemoveScroll } from '@mantine/core'
import { useHotkeys, useMediaQuery } from '@mantine/hooks'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, NavLink } from 'react-router'
import { cutUsername } from '#web/lib/format.ts'
import type { Page } from './pages.tsx'
import { useUser } from './session.tsx'
import styles from './shell.module.css'
import { useSignOut } from './use-sign-out.ts'

/** The navigation on a phone: a full sheet under the bar. */
export function NavSheet({ items, onClose }: { items: Page[]; onClose: () => void }) {
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
          {items.map((page) => (
            <NavLink key={page.path} to={page.path} end={page.path === '/'} className={styles.row} onClick={onClose}>
              {t(`pages.${page.name}`)}
            </NavLink>
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
