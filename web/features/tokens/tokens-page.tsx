import { useTranslation } from 'react-i18next'
import { PageHead } from '#web/components/page-head.tsx'

export function TokensPage() {
  const { t } = useTranslation()
  return <PageHead title={t('tokens.title')} />
}
