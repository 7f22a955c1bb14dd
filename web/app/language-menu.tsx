import { ActionIcon, Menu } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { changeLanguage, type Language, languages } from '#web/lib/i18n.ts'
import styles from './shell.module.css'

const names = Object.entries(languages) as Array<[Language, string]>

export function LanguageMenu() {
  const { t, i18n } = useTranslation()
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon className={styles.tool} aria-label={t('shell.language')} title={t('shell.language')}>
          <IconLanguage size={16} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {names.map(([language, name]) => (
          <Menu.Item
            key={language}
            lang={language}
            data-current={i18n.language === language || undefined}
            className={styles.choice}
            onClick={() => void changeLanguage(language)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
