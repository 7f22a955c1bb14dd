import { useTranslation } from '#web/lib/i18n.ts'
import type { PageName } from './page-name.ts'
import styles from './shell.module.css'

/** Stands in for a page whose code is on its way; appears after 200 ms. */
export function Loading({ page }: { page: PageName }) {
  const { t } = useTranslation()
  return (
    <p className={styles.loading} role="status">
      {t('shell.loading', { page: t(`pages.${page}`).toLowerCase() })}
    </p>
  )
}
