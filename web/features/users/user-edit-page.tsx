import { useTranslation } from 'react-i18next'
import { PageHead } from '#web/components/page-head.tsx'

export function UserEditPage() {
  const { t } = useTranslation()
  return <PageHead title={t('users.title')} />
}
