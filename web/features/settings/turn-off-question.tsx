import { Button, Group, Modal } from '@mantine/core'
import { useTranslation } from '#web/lib/i18n.ts'

interface Props {
  words: 'passwordOff'
  opened: boolean
  onClose: () => void
  onConfirm: () => void
}

/** Before something is turned off that may lock people out. */
export function TurnOffQuestion({ words, opened, onClose, onConfirm }: Props) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t(`settings.${words}.title`)}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <p style={{ margin: '0 0 16px' }}>{t(`settings.${words}.text`)}</p>
      <Group justify="flex-end" gap="sm">
        <Button data-autofocus onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button variant="filled" color="red" onClick={onConfirm}>
          {t(`settings.${words}.verb`)}
        </Button>
      </Group>
    </Modal>
  )
}
