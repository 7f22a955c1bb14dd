import { Button, Popover, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Anchor, useShown } from '#web/components/overlay/anchor.tsx'
import type { Anchored } from '#web/components/overlay/on-child.tsx'
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

export interface BulkValueProps {
  question: BulkValueQuestion | undefined
  opened: boolean
  onClose: () => void
  onValue: (value: string) => void
}

/** Asks for the value that all ticked rows get. */
export function BulkValueLayer({ question, opened, onClose, onValue, anchor }: BulkValueProps & Anchored) {
  return (
    <Popover
      opened={useShown(opened)}
      onChange={(open) => !open && onClose()}
      position="top"
      trapFocus
      width={264}
      withRoles={false}
    >
      <Popover.Target>
        <Anchor on={anchor} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={question?.title}>
        {question && <ValueForm question={question} onClose={onClose} onValue={onValue} />}
      </Popover.Dropdown>
    </Popover>
  )
}

interface FormProps extends Pick<BulkValueProps, 'onClose' | 'onValue'> {
  question: BulkValueQuestion
}

function ValueForm({ question, onClose, onValue }: FormProps) {
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
  )
}
