import { useEffect } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'
import { useStatus } from '#web/state/status.tsx'
import type { PageName } from './page-name.ts'

/** The title of the browser's tab: the page, then the site. The start page is the site. */
export function PageTitle({ name }: { name: PageName }) {
  const { t } = useTranslation()
  const { system_name } = useStatus()
  const title = name === 'home' ? system_name : `${t(`pages.${name}`)} · ${system_name}`
  useEffect(() => {
    document.title = title
  }, [title])
  return null
}
