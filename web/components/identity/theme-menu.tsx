import { ActionIcon, type MantineColorScheme, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { ActionMenu } from '#web/components/overlay/action-menu.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './identity.module.css'
import { schemeWords, useChooseScheme } from './scheme-choices.ts'

const schemes = Object.keys(schemeWords) as MantineColorScheme[]

export function ThemeMenu() {
  const { t } = useTranslation()
  const { colorScheme } = useMantineColorScheme()
  const choose = useChooseScheme()
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const Icon = shown === 'dark' ? IconSun : IconMoon
  const entries = schemes.map((scheme) => ({
    label: t(schemeWords[scheme]),
    current: colorScheme === scheme,
    run: () => choose(scheme),
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
