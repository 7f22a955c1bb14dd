import { Button } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { ActionMenu } from '#web/components/overlay/action-menu.tsx'
import { Confirm } from '#web/components/overlay/confirm.tsx'
import type { Question } from '#web/components/overlay/confirm-layer.tsx'
import { onChild } from '#web/components/overlay/on-child.tsx'
import { usePhone } from '#web/hooks/screen/use-phone.ts'
import { useRunning } from '#web/hooks/use-running.ts'
import type { Selection } from '#web/hooks/use-selection.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './bulk-bar.module.css'
import type { BulkValueProps, BulkValueQuestion } from './bulk-value.tsx'

const BulkValue = onChild<BulkValueProps>(async () => (await import('./bulk-value.tsx')).BulkValueLayer)

/** One thing that can be done to all ticked rows. */
export interface BulkVerb {
  label: string
  run: (ids: readonly number[], value: string) => Promise<unknown>
  confirm?: Question
  /** Asked for in a layer before it runs. */
  value?: BulkValueQuestion
  danger?: boolean
}

interface Props {
  selection: Selection
  total: number
  /** All ids of the list, over all its pages. */
  everyId: () => Promise<readonly number[]>
  verbs: readonly BulkVerb[]
}

const shownOnPhone = 2
/** Escape closes these first. */
const layers = '[role="dialog"], [role="alertdialog"], [role="menu"]'

/** Stands in place of the list's foot while rows are ticked. */
export function BulkBar({ selection, total, everyId, verbs }: Props) {
  const { t } = useTranslation()
  const phone = usePhone()
  const count = selection.ids.size
  const { clear } = selection
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      const inLayer = event.target instanceof Element && event.target.closest(layers) !== null
      if (event.key === 'Escape' && !event.defaultPrevented && !inLayer) clear()
    }
    window.addEventListener('keydown', leave)
    return () => window.removeEventListener('keydown', leave)
  })
  const near = phone ? verbs.slice(0, shownOnPhone) : verbs
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('table.bulk.label')}>
      <span className={styles.count} role="status">
        {t('table.bulk.selected', { count })}
      </span>
      {count < total && (
        <button type="button" className={styles.all} onClick={() => void everyId().then(selection.select)}>
          {t('table.bulk.selectAll', { count: total })}
        </button>
      )}
      {near.map((verb) => (
        <Verb key={verb.label} verb={verb} selection={selection} />
      ))}
      {near.length < verbs.length && <MoreVerbs verbs={verbs.slice(near.length)} selection={selection} />}
      <button type="button" className={styles.clear} onClick={clear}>
        {t('table.bulk.clear')}
        {!phone && <kbd className={styles.key}>Esc</kbd>}
      </button>
    </div>
  )
}

/** What is asked before a verb runs, if anything, and the run itself. */
function useVerb(selection: Selection) {
  const [asking, setAsking] = useState<BulkVerb | null>(null)
  const [running, start] = useRunning()
  const run = (verb: BulkVerb, value = '') =>
    start(async () => {
      await verb.run([...selection.ids], value)
      selection.clear()
    })
  const press = (verb: BulkVerb) => (verb.confirm || verb.value ? setAsking(verb) : void run(verb))
  return { asking, running, run, press, close: () => setAsking(null) }
}

function Verb({ verb, selection }: { verb: BulkVerb; selection: Selection }) {
  const { asking, running, run, press, close } = useVerb(selection)
  const button = (
    <Button
      onClick={() => press(verb)}
      loading={running}
      disabled={selection.ids.size === 0}
      {...(verb.danger ? { color: 'red', variant: 'outline' } : {})}
    >
      {verb.label}
    </Button>
  )
  if (verb.value)
    return (
      <BulkValue
        question={verb.value}
        opened={asking !== null}
        onClose={close}
        onValue={(value) => void run(verb, value)}
      >
        {button}
      </BulkValue>
    )
  return (
    <Confirm question={verb.confirm} onConfirm={() => run(verb)} opened={asking !== null} onClose={close}>
      {button}
    </Confirm>
  )
}

function MoreVerbs({ verbs, selection }: { verbs: readonly BulkVerb[]; selection: Selection }) {
  const { t } = useTranslation()
  const { asking, running, run, press, close } = useVerb(selection)
  const button = (
    <Button
      loading={running}
      disabled={selection.ids.size === 0}
      rightSection={<IconChevronDown size={16} stroke={1.6} aria-hidden />}
    >
      {t('common.more')}
    </Button>
  )
  return (
    <BulkValue
      question={asking?.value}
      opened={asking?.value !== undefined}
      onClose={close}
      onValue={(value) => asking && void run(asking, value)}
    >
      <span>
        <Confirm
          question={asking?.confirm}
          onConfirm={() => asking && run(asking)}
          opened={asking?.confirm !== undefined}
          onClose={close}
        >
          <span>
            <ActionMenu
              position="top-start"
              target={button}
              entries={verbs.map((verb) => ({
                label: verb.label,
                run: () => press(verb),
                disabled: false,
                danger: verb.danger ?? false,
              }))}
            />
          </span>
        </Confirm>
      </span>
    </BulkValue>
  )
}
