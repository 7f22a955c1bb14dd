import { Button, Popover } from '@mantine/core'
import { useCallback, useEffect, useId, useRef } from 'react'
import { useRunning } from '#web/hooks/use-running.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { placeOfRow, restLostFocus } from '#web/lib/keys.ts'
import { Anchor, useShown } from './anchor.tsx'
import styles from './confirm.module.css'
import type { Anchored } from './on-child.tsx'

export interface Question {
  /** Names the thing: "Delete channel moonshot-backup?" */
  title: string
  /** One line of what follows. */
  consequence?: string
  /** The verb of the red button. */
  verb: string
}

export interface ConfirmProps {
  question: Question | undefined
  onConfirm: () => unknown
  opened: boolean
  onClose: () => void
}

export function ConfirmLayer({ question, onConfirm, opened, onClose, anchor }: ConfirmProps & Anchored) {
  const { t } = useTranslation()
  const title = useId()
  const [running, run] = useRunning()
  const place = useRef<() => HTMLElement | undefined>(null)
  const confirm = async () => {
    place.current = placeOfRow(anchor)
    await run(onConfirm)
    onClose()
  }
  // The button often goes away with what was confirmed, before or after the question does.
  const rest = useCallback(() => {
    if (!place.current) return
    const near = place.current()
    place.current = null
    restLostFocus(near)
  }, [])
  useEffect(() => rest, [rest])
  return (
    <Popover
      opened={useShown(opened)}
      onChange={(next) => !next && onClose()}
      onExitTransitionEnd={rest}
      width={264}
      withRoles={false}
    >
      <Popover.Target>
        <Anchor on={anchor} />
      </Popover.Target>
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
