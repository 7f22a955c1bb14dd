import { FocusTrap, RemoveScroll, useMantineColorScheme } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { useSignOut } from '#web/app/use-sign-out.ts'
import { schemeWords, useChooseScheme } from '#web/components/identity/scheme-choices.ts'
import { useBeside } from '#web/hooks/use-beside.ts'
import { cutUsername } from '#web/lib/format.ts'
import { changeLanguage, useTranslation } from '#web/lib/i18n.ts'
import { type LanguageCode, languages } from '#web/locales/languages.ts'
import { useUser } from '#web/state/session.tsx'
import { useNavItems } from './nav-items.ts'
import { NavLink } from './nav-link.tsx'
import styles from './nav-sheet.module.css'

/** The navigation where there is no room for the sidebar: a full sheet under the bar. */
export function NavSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const groups = useNavItems()
  const wide = useBeside()
  useHotkeys([['Escape', onClose]])
  useEffect(() => {
    if (wide) onClose()
  }, [wide, onClose])
  return (
    <RemoveScroll forwardProps>
      <FocusTrap>
        <nav className={styles.sheet} aria-label={t('shell.navigation')}>
          <div className={styles.columns}>
            {groups.map(({ group, items }) => (
              // biome-ignore lint/a11y/useSemanticElements: links are no fields
              <div key={group} role="group" aria-label={t(`shell.groups.${group}`)} data-group={group}>
                {group !== 'more' && <span className={styles.word}>{t(`shell.groups.${group}`)}</span>}
                {items.map((item) => (
                  <NavLink key={item.page.path} item={item} className={styles.row} onClick={onClose} />
                ))}
              </div>
            ))}
          </div>
          <Own onClose={onClose} />
        </nav>
      </FocusTrap>
    </RemoveScroll>
  )
}

const codes = Object.keys(languages) as LanguageCode[]

/** Language, theme and account. */
function Own({ onClose }: { onClose: () => void }) {
  const { t, language } = useTranslation()
  const { user } = useUser()
  const signOut = useSignOut()
  const { colorScheme } = useMantineColorScheme()
  const chooseScheme = useChooseScheme()
  const nextLanguage = codes[(codes.indexOf(language) + 1) % codes.length] ?? 'en'
  const schemes = Object.keys(schemeWords) as Array<keyof typeof schemeWords>
  const nextScheme = schemes[(schemes.indexOf(colorScheme) + 1) % schemes.length] ?? 'auto'
  const leave = () => {
    onClose()
    signOut()
  }
  return (
    <div className={styles.own}>
      <Setting
        label={t('shell.language')}
        value={languages[language].name}
        onPress={() => changeLanguage(nextLanguage)}
      />
      <Setting label={t('shell.theme')} value={t(schemeWords[colorScheme])} onPress={() => chooseScheme(nextScheme)} />
      {user ? (
        <Setting label={t('shell.signOut')} value={cutUsername(user.username)} onPress={leave} />
      ) : (
        <Link to="/login" className={styles.row} onClick={onClose}>
          {t('pages.login')}
        </Link>
      )}
    </div>
  )
}

function Setting({ label, value, onPress }: { label: string; value: string; onPress: () => unknown }) {
  return (
    <button type="button" className={styles.row} onClick={() => void onPress()}>
      {label} <span className={styles.value}>{value}</span>
    </button>
  )
}
