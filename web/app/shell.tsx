import { useDisclosure } from '@mantine/hooks'
import { Suspense } from 'react'
import { Outlet } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import { Bar } from './bar.tsx'
import { CrashBoundary } from './crash.tsx'
import { Footer } from './footer.tsx'
import styles from './shell.module.css'
import { Sidebar } from './sidebar.tsx'

export function Shell() {
  const { t } = useTranslation()
  const [, palette] = useDisclosure(false)
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
    </div>
  )
}
