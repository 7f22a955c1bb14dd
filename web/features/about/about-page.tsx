import { useQuery } from '@tanstack/react-query'
import { SiteContent } from '#web/components/content/site-content.tsx'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { aboutQuery } from '#web/state/queries/site-queries.ts'
import { useStatus } from '#web/state/status.tsx'

export function AboutPage() {
  const { t } = useTranslation()
  const { system_name } = useStatus()
  const about = useQuery(aboutQuery)
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
