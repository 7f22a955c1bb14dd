import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { readStored, store } from '#web/lib/storage.ts'
import { toast } from '#web/lib/toast.tsx'
import { noticeQuery } from '#web/state/queries/site-queries.ts'

// Most days there is no notice.
const SiteText = lazy(async () => ({ default: (await import('#web/components/content/site-content.tsx')).SiteText }))

/** Shows the site's notice once per text. */
export function useNotice() {
  const { data } = useQuery(noticeQuery)
  useEffect(() => {
    if (!data || data === readStored('notice')) return
    store('notice', data)
    const text = (
      <Suspense>
        <SiteText content={data} />
      </Suspense>
    )
    toast.notice(text, { keep: true })
  }, [data])
}
