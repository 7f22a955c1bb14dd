import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { SiteContent, SiteText } from '#web/components/content/site-content.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { readStored, store } from '#web/lib/storage.ts'
import { toast } from '#web/lib/toast.tsx'
import { homeQuery, noticeQuery } from '#web/state/queries/site-queries.ts'
import { Welcome } from './welcome.tsx'

/** Shows the site's notice once per text. */
function useNotice() {
  const { data } = useQuery(noticeQuery)
  useEffect(() => {
    if (!data || data === readStored('notice')) return
    store('notice', data)
    toast.notice(<SiteText content={data} />, { keep: true })
  }, [data])
}

export function HomePage() {
  const { t } = useTranslation()
  useNotice()
  const home = useQuery(homeQuery)
  if (home.isPending) return null
  return home.data ? <SiteContent content={home.data} title={t('home.contentFrame')} /> : <Welcome />
}
