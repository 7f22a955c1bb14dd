import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { statusApi } from '#shared/api/status.ts'
import { SiteContent, SiteText } from '#web/components/content/site-content.tsx'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'
import { readStored, store } from '#web/lib/storage.ts'
import { toast } from '#web/lib/toast.tsx'
import { Welcome } from './welcome.tsx'

/** Shows the site's notice once per text. */
function useNotice() {
  const { data } = useQuery({ queryKey: ['notice'], queryFn: () => call(statusApi.notice), meta: ownReport })
  useEffect(() => {
    if (!data || data === readStored('notice')) return
    store('notice', data)
    toast.notice(<SiteText content={data} />, { keep: true })
  }, [data])
}

export function HomePage() {
  const { t } = useTranslation()
  useNotice()
  const home = useQuery({ queryKey: ['home'], queryFn: () => call(statusApi.home), meta: ownReport })
  if (home.isPending) return null
  return home.data ? <SiteContent content={home.data} title={t('home.contentFrame')} /> : <Welcome />
}
