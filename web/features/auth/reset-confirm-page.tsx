import { useTranslation } from 'react-i18next'
import { PageHead } from '#web/components/page-head.tsx'

export function ResetConfirmPage() {
  const { t } = useTranslation()
  return <PageHead title={t('auth.logIn')} />
}
