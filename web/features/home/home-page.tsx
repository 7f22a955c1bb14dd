import { useQuery } from '@tanstack/react-query'
import { SiteContent } from '#web/components/content/site-content.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { homeQuery } from '#web/state/queries/site-queries.ts'
import { Welcome } from './welcome.tsx'

export function HomePage() {
  const { t } = useTranslation()
  const home = useQuery(homeQuery)
  if (home.isPending) return null
  return home.data ? <SiteContent content={home.data} title={t('home.contentFrame')} /> : <Welcome />
}
