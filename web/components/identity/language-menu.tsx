import { ActionIcon } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { ActionMenu } from '#web/components/overlay/action-menu.tsx'
import { changeLanguage, useTranslation } from '#web/lib/i18n.ts'
import { type LanguageCode, languages } from '#web/locales/languages.ts'
import styles from './identity.module.css'

const codes = Object.keys(languages) as LanguageCode[]

export function LanguageMenu() {
  const { t, language: shown } = useTranslation()
  const entries = codes.map((language) => ({
    label: languages[language].name,
    lang: language,
    current: shown === language,
    run: () => changeLanguage(language),
  }))
  return (
    <ActionMenu
      entries={entries}
      target={
        <ActionIcon className={styles.tool} aria-label={t('shell.language')} title={t('shell.language')}>
          <IconLanguage size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      }
    />
  )
}
