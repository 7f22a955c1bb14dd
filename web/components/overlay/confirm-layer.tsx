import { Button, Popover } from '@mantine/core'
import { cloneElement, type ReactElement, useCallback, useEffect, useId, useRef, useState } from 'react'
import { useRunning } from '#web/hooks/use-running.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { restLostFocus } from '#web/lib/keys.ts'
import styles from './confirm.module.css'

export interface Question {
  /** Names the thing: "Delete channel moonshot-backup?" */
  title: string
  /** One line of what follows. */
  consequence?: string
  /** The verb of the red button. */
  verb: string
}

interface Props {
  question: Question | undefined
  onConfirm: () => unknown
  opened: boolean
  onClose: () => void
  target: ReactElement<Record<string, unknown>>
}

export function ConfirmLayer({ question, onConfirm, opened, onClose, target }: Props) {
  const { t } = useTranslation()
  const title = useId()
  const anchor = useRef<HTMLElement>(null)
  const [drawn, setDrawn] = useState(false)
  const [running, run] = useRunning()
  useEffect(() => {
    // The button is a new element now; closing the question gives the focus back to it.
    const button = anchor.current?.matches('button') ? anchor.current : anchor.current?.querySelector('button')
    button?.focus()
    setDrawn(true)
  }, [])
  const isDone = useRef(false)
  const confirm = async () => {
    await run(onConfirm)
    isDone.current = true
    onClose()
  }
  // The button often goes away with what was confirmed, before or after the question does.
  const rest = useCallback(() => {
    if (isDone.current) restLostFocus()
  }, [])
  useEffect(() => rest, [rest])
  return (
    <Popover
      opened={drawn && opened}
      onChange={(next) => !next && onClose()}
      onExitTransitionEnd={rest}
      width={264}
      withRoles={false}
    >
      <Popover.Target>{cloneElement(target, { ref: anchor })}</Popover.Target>
      <Popover.Dropdown role="alertdialog" aria-labelledby={title} className={styles.box}>
        <p id={title} className={styles.title}>
          {question?.title}
        </p>
        {question?.consequence && <p className={styles.text}>{question.consequence}</p>}
        <div className={styles.buttons}>
          <Button size="xs" data-autofocus onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button size="xs" variant="filled" color="red" loading={running} onClick={() => void confirm()}>
            {question?.verb}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
