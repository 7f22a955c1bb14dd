import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { SiteText } from '#web/components/content/site-content.tsx'
import { readStored, store } from '#web/lib/storage.ts'
import { toast } from '#web/lib/toast.tsx'
import { noticeQuery } from '#web/state/queries/site-queries.ts'

/** Shows the site's notice once per text. */
export function useNotice() {
  const { data } = useQuery(noticeQuery)
  useEffect(() => {
    if (!data || data === readStored('notice')) return
    store('notice', data)
    toast.notice(<SiteText content={data} />, { keep: true })
  }, [data])
}
