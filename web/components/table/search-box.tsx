import { ActionIcon, TextInput } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'

interface Props {
  /** What can be searched: placeholder and name of the field. */
  label: string
  value: string
  onChange: (text: string) => void
  /** Enter; the text is trimmed. An empty one shows the whole list again. */
  onSearch: (keyword: string) => void
  width?: number
}

export function SearchBox({ label, value, onChange, onSearch, width = 300 }: Props) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)
  const clear = () => {
    onChange('')
    onSearch('')
    field.current?.focus()
  }
  return (
    <search style={{ width, maxWidth: '100%' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSearch(value.trim())
        }}
      >
        <TextInput
          ref={field}
          aria-label={label}
          placeholder={label}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
          rightSection={
            value !== '' && (
              <ActionIcon size={24} aria-label={t('table.clearSearch')} onClick={clear}>
                <IconX size={16} stroke={1.6} />
              </ActionIcon>
            )
          }
          enterKeyHint="search"
        />
      </form>
    </search>
  )
}
