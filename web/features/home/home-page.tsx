import { useTranslation } from 'react-i18next'
import { PageHead } from '#web/components/page-head.tsx'

export function HomePage() {
  const { t } = useTranslation()
  return <PageHead title={t('pages.home')} />
}
