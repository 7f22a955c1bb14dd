import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMenu2, IconX } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { allows } from '#shared/roles.ts'
import { AccountMenu } from './account-menu.tsx'
import { Brand } from './brand.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { type Page, pages } from './pages.tsx'
import { useUser } from './session.tsx'
import styles from './shell.module.css'
import { useStatus } from './status.tsx'
import { ThemeMenu } from './theme-menu.tsx'

const NavSheet = lazy(async () => ({ default: (await import('./nav-sheet.tsx')).NavSheet }))

/** The items this visitor sees: nothing he would be refused, but what only needs a login is shown to everyone. */
function useNavPages(): Page[] {
  const { user } = useUser()
  const status = useStatus()
  const visible = (page: Page) =>
    page.nav && (page.when?.(status) ?? true) && (page.access === 'user' || allows(user?.role ?? 0, page.access))
  return pages.filter(visible)
}

export function Bar() {
  const { t } = useTranslation()
  const items = useNavPages()
  const [open, sheet] = useDisclosure(false)
  return (
    <header className={styles.bar}>
      <div className={styles.barInner}>
        <Brand />
        <nav className={styles.items} aria-label={t('shell.navigation')}>
          {items.map((page) => (
            <NavLink
              key={page.path}
              to={page.path}
              end={page.path === '/'}
              className={styles.item}
              onPointerEnter={() => void page.load().catch(() => undefined)}
              onFocus={() => void page.load().catch(() => undefined)}
            >
              {t(`pages.${page.name}`)}
            </NavLink>
          ))}
        </nav>
        <div className={styles.tools}>
          <LanguageMenu />
          <ThemeMenu />
          <div className={styles.wide}>
            <AccountMenu />
          </div>
          <ActionIcon
            className={styles.toggle}
            size={40}
            aria-label={t(open ? 'shell.closeMenu' : 'shell.openMenu')}
            aria-expanded={open}
            onClick={sheet.toggle}
          >
            {open ? <IconX size={20} stroke={1.6} /> : <IconMenu2 size={20} stroke={1.6} />}
          </ActionIcon>
        </div>
      </div>
      <Suspense>{open && <NavSheet items={items} onClose={sheet.close} />}</Suspense>
    </header>
  )
}
