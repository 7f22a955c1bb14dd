import { Anchor } from '@mantine/core'
import { lazy } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'
import { useStatus } from '#web/state/status.tsx'
import styles from './shell.module.css'

const licence = 'https://opensource.org/license/mit'
const SafeHtml = lazy(async () => ({ default: (await import('#web/components/content/safe-html.tsx')).SafeHtml }))

export function Footer() {
  const { t } = useTranslation()
  const { footer_html, system_name, version } = useStatus()
  if (footer_html)
    return (
      <footer className={styles.footer}>
        <SafeHtml html={footer_html} />
      </footer>
    )
  return (
    <footer className={styles.footer}>
      {t('shell.credit', { name: system_name, version })}{' '}
      <Anchor href={licence} target="_blank" rel="noreferrer" inherit c="inherit" underline="always">
        {t('shell.licence')}
      </Anchor>
    </footer>
  )
}
