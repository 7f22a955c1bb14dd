import { Snippets } from '#web/components/content/snippets.tsx'
import { SidePanel } from '#web/components/page/side-panel.tsx'
import { useFocusBack } from '#web/hooks/use-focus-back.ts'
import type { ChatAsk } from '#web/lib/chat/chat-stream.ts'
import { useTranslation } from '#web/lib/i18n.ts'

interface Props {
  keyText: string
  ask: ChatAsk
  onClose: () => void
}

/** The request of the first column as code. */
export function CodePanel({ keyText, ask, onClose }: Props) {
  useFocusBack()
  const { t } = useTranslation()
  return (
    <SidePanel entry="code" label={t('playground.viewCode')} title={ask.model} mono alone onClose={onClose}>
      <Snippets keyText={keyText} ask={ask} />
    </SidePanel>
  )
}
