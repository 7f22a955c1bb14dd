import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUser } from '#web/state/session.tsx'
import { useStatus } from '#web/state/status.tsx'
import type { PageName } from './page-name.ts'

const tabs = ['operations', 'system', 'other'] as const

/** What a page is called: `/` is the Overview for signed-in users, settings are named by their tab. */
function useParts(name: PageName): string[] {
  const { t } = useTranslation()
  const { user } = useUser()
  const { pathname, search } = useLocation()
  if (name === 'home') return user && pathname === '/' ? [t('pages.overview')] : []
  const wanted = name === 'settings' ? new URLSearchParams(search).get('tab') : null
  const tab = tabs.find((one) => one === wanted)
  return [...(tab ? [t(`settings.tabs.${tab}`)] : []), t(`pages.${name}`)]
}

/** The title of the browser's tab: the page, then the site. The welcome page is the site. */
export function PageTitle({ name }: { name: PageName }) {
  const { system_name } = useStatus()
  const title = [...useParts(name), system_name].join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
  return null
}
