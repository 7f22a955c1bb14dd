import { useTranslation } from 'react-i18next'
import { PageHead } from '#web/components/page-head.tsx'

export function ProfilePage() {
  const { t } = useTranslation()
  return <PageHead title={t('users.title')} />
}
