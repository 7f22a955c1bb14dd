import { Button, Popover, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './bulk-value.module.css'

export interface BulkValueQuestion {
  title: string
  /** What is set now, and what the value does. */
  hint: string
  verb: string
  /** What is wrong with it; null when nothing is. */
  fault: (value: string) => string | null
}

interface Props {
  question: BulkValueQuestion
  opened: boolean
  onClose: () => void
  onValue: (value: string) => void
  children: ReactNode
}

/** Asks for the value that all ticked rows get. */
export function BulkValue({ question, opened, onClose, onValue, children }: Props) {
  const { t } = useTranslation()
  const [value, setValue] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const submit = () => {
    const wrong = question.fault(value.trim())
    setFault(wrong)
    if (wrong !== null) return
    onValue(value.trim())
    onClose()
  }
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && onClose()}
      position="top"
      trapFocus
      width={264}
      withRoles={false}
    >
      <Popover.Target>
        <span>{children}</span>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={question.title}>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <TextInput
            label={question.title}
            description={question.hint}
            error={fault}
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
          <div className={styles.buttons}>
            <Button onClick={onClose}>{t('common.cancel')}</Button>
            <Button type="submit" variant="filled">
              {question.verb}
            </Button>
          </div>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
