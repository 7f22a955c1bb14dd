import { ActionIcon, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { store } from '#web/lib/storage.ts'
import styles from './shell.module.css'

const choices = [
  ['light', 'shell.light'],
  ['dark', 'shell.dark'],
  ['auto', 'shell.system'],
] as const

export function ThemeMenu() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const Icon = shown === 'dark' ? IconSun : IconMoon
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon className={styles.tool} aria-label={t('shell.theme')} title={t('shell.theme')}>
          <Icon size={16} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(([scheme, label]) => (
          <Menu.Item
            key={scheme}
            data-current={colorScheme === scheme || undefined}
            className={styles.choice}
            onClick={() => {
              store('theme', scheme)
              setColorScheme(scheme)
            }}
          >
            {t(label)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
