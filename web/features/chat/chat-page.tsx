import { useTranslation } from 'react-i18next'
import { PageHead } from '#web/components/page-head.tsx'

export function ChatPage() {
  const { t } = useTranslation()
  return <PageHead title={t('chat.title')} />
}
