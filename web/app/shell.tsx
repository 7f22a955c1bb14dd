import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense, useEffect } from 'react'
import { Outlet, useLocation } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUser } from '#web/state/session.tsx'
import { Bar } from './bar.tsx'
import { CrashBoundary } from './crash.tsx'
import { Footer } from './footer.tsx'
import { sectionOf } from './navigation/nav-items.ts'
import { Sidebar } from './navigation/sidebar.tsx'
import { visit } from './palette/recent-pages.ts'
import { useTypedAhead } from './palette/use-typed-ahead.ts'
import styles from './shell.module.css'
import { useShortcuts } from './use-shortcuts.ts'

const loadPalette = () => import('./palette/palette.tsx')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))
const KeyList = lazy(async () => ({ default: (await import('./palette/key-list.tsx')).KeyList }))

export function Shell() {
  const { t } = useTranslation()
  const { user } = useUser()
  const [searching, palette] = useDisclosure(false)
  const [listing, keys] = useDisclosure(false)
  const section = sectionOf(useLocation().pathname)
  useEffect(() => {
    if (section !== undefined) visit(section)
  }, [section])
  const typed = useTypedAhead(searching)
  const isIdle = user !== null && !searching && !listing
  useShortcuts(isIdle, { loadPalette, openPalette: palette.open, openKeys: keys.open })
  return (
    <div className={styles.shell}>
      <a className="skip-link" href="#main">
        {t('shell.skip')}
      </a>
      <Bar onSearch={palette.open} />
      <div className={styles.columns}>
        <Sidebar />
        <div className={styles.content}>
          <main id="main" className={styles.main} tabIndex={-1}>
            <Outlet />
            <div id="floating" />
          </main>
          <CrashBoundary fallback={null}>
            <Suspense>
              <Footer />
            </Suspense>
          </CrashBoundary>
        </div>
      </div>
      <CrashBoundary fallback={null}>
        <Suspense>
          {searching && <Palette opened typed={typed} onClose={palette.close} />}
          {listing && <KeyList opened onClose={keys.close} />}
        </Suspense>
      </CrashBoundary>
    </div>
  )
}
