import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { statusApi } from '#shared/api/status.ts'
import { SiteContent } from '#web/components/content/site-content.tsx'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { call } from '#web/lib/api.ts'
import { useStatus } from '#web/state/status.tsx'

export function AboutPage() {
  const { t } = useTranslation()
  const { system_name } = useStatus()
  const about = useQuery({ queryKey: ['about'], queryFn: () => call(statusApi.about) })
  if (about.isPending) return <PageHead title={t('about.title')} />
  if (about.data) return <SiteContent content={about.data} title={t('about.title')} />
  return (
    <>
      <PageHead title={t('about.title')} />
      {about.isLoadingError ? (
        <CannotLoad onRetry={about.refetch} />
      ) : (
        <>
          <p style={{ maxWidth: 560 }}>{t('about.lead', { name: system_name })}</p>
          <p className="dimmed">{t('about.empty')}</p>
        </>
      )}
    </>
  )
}
