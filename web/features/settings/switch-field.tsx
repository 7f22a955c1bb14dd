import { Button, Checkbox, Group, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { OptionKey } from '#shared/options.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { KindProps } from './kind-props.ts'

/** Asked before the switch is turned off. */
const questions: Partial<Record<OptionKey, 'passwordOff'>> = { PasswordLoginEnabled: 'passwordOff' }

/** An option that is 'true' or 'false'. Some are not turned off without a question. */
export function SwitchField({ name, text, onChange, frame: { readOnly, placeholder: _, ...frame } }: KindProps) {
  const confirmOff = questions[name]
  const [asking, question] = useDisclosure(false)
  const change = (on: boolean) => {
    if (!on && confirmOff) question.open()
    else onChange(String(on))
  }
  const turnOff = () => {
    onChange('false')
    question.close()
  }
  return (
    <>
      <Checkbox
        {...frame}
        disabled={readOnly}
        checked={text === 'true'}
        onChange={(event) => change(event.currentTarget.checked)}
      />
      {confirmOff && (
        <TurnOffQuestion words={confirmOff} opened={asking} onClose={question.close} onConfirm={turnOff} />
      )}
    </>
  )
}

interface QuestionProps {
  words: 'passwordOff'
  opened: boolean
  onClose: () => void
  onConfirm: () => void
}

function TurnOffQuestion({ words, opened, onClose, onConfirm }: QuestionProps) {
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
