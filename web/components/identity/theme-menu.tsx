import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { ActionMenu } from '#web/components/overlay/action-menu.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { store } from '#web/lib/storage.ts'
import styles from './identity.module.css'

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
  const entries = choices.map(([scheme, label]) => ({
    label: t(label),
    current: colorScheme === scheme,
    run: () => {
      store('theme', scheme)
      setColorScheme(scheme)
    },
  }))
  return (
    <ActionMenu
      entries={entries}
      target={
        <ActionIcon className={styles.tool} aria-label={t('shell.theme')} title={t('shell.theme')}>
          <Icon size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      }
    />
  )
}
