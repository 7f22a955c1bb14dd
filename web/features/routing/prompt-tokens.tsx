import { TextInput } from '@mantine/core'
import { useTextOf } from '#web/hooks/use-text-of.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { readWhole } from '#web/lib/input/typed-number.ts'

interface Props {
  value: string
  onChange: (tokens: string) => void
}

/** How long the prompt is; taken on Enter or on leaving, refused on the field when it is no number. */
export function PromptTokens({ value, onChange }: Props) {
  const { t } = useTranslation()
  const [text, setText] = useTextOf(value)
  const isWrong = text.trim() !== '' && (readWhole(text) ?? 0) < 1
  const take = () => {
    if (!isWrong && text.trim() !== value) onChange(text.trim().replaceAll(',', ''))
  }
  return (
    <TextInput
      label={t('routing.promptTokens')}
      inputMode="numeric"
      placeholder={t('routing.anyLength')}
      value={text}
      error={isWrong && t('routing.notTokens')}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
    />
  )
}
