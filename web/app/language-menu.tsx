import { ActionIcon } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ActionMenu } from '#web/components/overlay/action-menu.tsx'
import { changeLanguage, type Language, languages } from '#web/lib/i18n.ts'
import styles from './shell.module.css'

const names = Object.entries(languages) as Array<[Language, string]>

export function LanguageMenu() {
  const { t, i18n } = useTranslation()
  const entries = names.map(([language, label]) => ({
    label,
    lang: language,
    current: i18n.language === language,
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
