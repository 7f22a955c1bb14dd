import { useTranslation } from 'react-i18next'
import { PageHead } from '#web/components/page-head.tsx'

export function RegisterPage() {
  const { t } = useTranslation()
  return <PageHead title={t('auth.logIn')} />
}
