import { Button, Popover } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useRunning } from '#web/hooks/use-running.ts'
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
  question: Question
  onConfirm: () => unknown
  opened: boolean
  onClose: () => void
  /** The button the question comes from. */
  children: ReactNode
}

/** A question that hangs on the button it comes from. */
export function Confirm({ question, onConfirm, opened, onClose, children }: Props) {
  const { t } = useTranslation()
  const title = useId()
  const [running, run] = useRunning()
  const confirm = async () => {
    await run(onConfirm)
    onClose()
  }
  return (
    <Popover opened={opened} onChange={(next) => !next && onClose()} width={264} withRoles={false}>
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown role="alertdialog" aria-labelledby={title} className={styles.box}>
        <p id={title} className={styles.title}>
          {question.title}
        </p>
        {question.consequence && <p className={styles.text}>{question.consequence}</p>}
        <div className={styles.buttons}>
          <Button size="xs" data-autofocus onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button size="xs" variant="filled" color="red" loading={running} onClick={() => void confirm()}>
            {question.verb}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
