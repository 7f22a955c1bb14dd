import { Modal } from '@mantine/core'
import { Snippets } from '#web/components/content/snippets.tsx'
import { useFocusBack } from '#web/hooks/use-focus-back.ts'
import type { ChatAsk } from '#web/lib/chat-stream.ts'
import { useTranslation } from '#web/lib/i18n.ts'

interface Props {
  keyText: string
  ask: ChatAsk
  onClose: () => void
}

/** The request of the first column as code. */
export function CodeDialog({ keyText, ask, onClose }: Props) {
  useFocusBack()
  const { t } = useTranslation()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('playground.viewCode')}
      size={720}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Snippets keyText={keyText} ask={ask} />
    </Modal>
  )
}
