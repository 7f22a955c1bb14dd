import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMenu2, IconX } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { Brand } from '#web/components/identity/brand.tsx'
import { LanguageMenu } from '#web/components/identity/language-menu.tsx'
import { ThemeMenu } from '#web/components/identity/theme-menu.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { AccountMenu } from './account-menu.tsx'
import { CrashBoundary } from './crash.tsx'
import { useNavItems } from './nav-items.ts'
import styles from './shell.module.css'

const NavSheet = lazy(async () => ({ default: (await import('./nav-sheet.tsx')).NavSheet }))

export function Bar() {
  const { t } = useTranslation()
  const items = useNavItems()
  const [open, sheet] = useDisclosure(false)
  return (
    <header className={styles.bar}>
      <div className={styles.barInner}>
        <Brand />
        <nav className={styles.items} aria-label={t('shell.navigation')}>
          {items.map(({ page, current }) => (
            <Link
              key={page.path}
              to={page.path}
              aria-current={current}
              className={styles.item}
              onPointerEnter={() => void page.load().catch(() => undefined)}
              onFocus={() => void page.load().catch(() => undefined)}
            >
              {t(`pages.${page.name}`)}
            </Link>
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
      <CrashBoundary fallback={null}>
        <Suspense>{open && <NavSheet items={items} onClose={sheet.close} />}</Suspense>
      </CrashBoundary>
    </header>
  )
}
