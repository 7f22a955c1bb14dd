import { SiteContent } from '#web/components/content/site-content.tsx'
import { NotFound } from '#web/components/page/not-found.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useStatus, useStatusKnown } from '#web/state/status.tsx'

/** The configured chat client in a frame. */
export function ChatPage() {
  const { t } = useTranslation()
  const { chat_link } = useStatus()
  const known = useStatusKnown()
  if (chat_link) return <SiteContent content={chat_link} title={t('chat.title')} />
  return known ? <NotFound /> : null
}
