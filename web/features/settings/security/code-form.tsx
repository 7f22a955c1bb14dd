import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useFocusHandedOn } from '#web/hooks/use-focus-back.ts'
import { useRunning } from '#web/hooks/use-running.ts'
import { reportFailure } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './security.module.css'

interface Props {
  help: string
  submit: string
  onCode: (code: string) => Promise<unknown>
  onCancel?: () => void
}

export function CodeForm({ help, submit, onCode, onCancel }: Props) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const [running, run] = useRunning()
  const form = useFocusHandedOn<HTMLFormElement>()
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '') return
    void run(() => onCode(code.trim()).catch(reportFailure))
    setCode('')
  }
  return (
    <form ref={form} className={styles.form} onSubmit={send}>
      <TextInput
        label={t('security.code')}
        description={help}
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <div className={styles.buttons}>
        <Button type="submit" variant="filled" loading={running}>
          {submit}
        </Button>
        {onCancel && <Button onClick={onCancel}>{t('common.cancel')}</Button>}
      </div>
    </form>
  )
}
