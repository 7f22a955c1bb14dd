import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMenu2, IconX } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Brand } from '#web/components/identity/brand.tsx'
import { LanguageMenu } from '#web/components/identity/language-menu.tsx'
import { ThemeMenu } from '#web/components/identity/theme-menu.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUser } from '#web/state/session.tsx'
import { AccountMenu } from './account-menu.tsx'
import { CrashBoundary } from './crash.tsx'
import { SearchButton } from './search-button.tsx'
import styles from './shell.module.css'
import { Wallet } from './wallet/wallet.tsx'

const NavSheet = lazy(async () => ({ default: (await import('./navigation/nav-sheet.tsx')).NavSheet }))

/** The slim bar over everything: brand, wallet, search, language, theme, account. */
export function Bar({ onSearch }: { onSearch: () => void }) {
  const { t } = useTranslation()
  const { user } = useUser()
  const [open, sheet] = useDisclosure(false)
  return (
    <header className={styles.bar} data-signed-in={user !== null}>
      <div className={styles.brand}>
        <Brand />
      </div>
      {user && <Wallet />}
      <div className={styles.tools}>
        {user && <SearchButton onPress={onSearch} />}
        <div className={styles.wide}>
          <LanguageMenu />
          <ThemeMenu />
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
      <CrashBoundary fallback={null}>
        <Suspense>{open && <NavSheet onClose={sheet.close} />}</Suspense>
      </CrashBoundary>
    </header>
  )
}
