import { ActionIcon } from '@mantine/core'
import { IconDotsVertical } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ActionMenu } from '#web/components/overlay/action-menu.tsx'
import { Confirm } from '#web/components/overlay/confirm.tsx'
import { useRunning } from '#web/hooks/use-running.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { RowAction } from './row-action.ts'

interface Entry {
  label: string
  action: RowAction
  run: () => unknown
}

const menuMax = 7

/** Choices of a verb are left out where the menu would grow past what can be taken in at a glance; those of "more" never are. */
function entriesOf(actions: readonly RowAction[]): Entry[] {
  const entryOf = (action: RowAction): Entry => ({ label: action.label, action, run: () => action.run?.() })
  const choicesOf = (action: RowAction): Entry[] =>
    (action.choices ?? []).map(({ label, run }) => ({ label, action: { label }, run }))
  const verbs = actions.flatMap((action) => (action.icon === 'more' ? choicesOf(action) : [entryOf(action)]))
  const all = actions.flatMap((action) => [...(action.icon === 'more' ? [] : [entryOf(action)]), ...choicesOf(action)])
  return all.length > menuMax ? verbs : all
}

/** All actions of a row behind one 40 px button. */
export function PhoneActions({ name, actions }: { name: string; actions: readonly RowAction[] }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<RowAction | null>(null)
  const [running, run] = useRunning()
  const choose = (entry: Entry) => {
    if (entry.action.to) return void navigate(entry.action.to)
    if (entry.action.confirm) return setAsking(entry.action)
    void run(entry.run)
  }
  const entries = entriesOf(actions).map((entry) => ({
    label: entry.label,
    run: () => choose(entry),
    disabled: entry.action.disabled ?? false,
    danger: entry.action.icon === 'delete',
  }))
  return (
    <Confirm
      question={asking?.confirm}
      onConfirm={() => asking?.run?.()}
      opened={asking !== null}
      onClose={() => setAsking(null)}
    >
      <span>
        <ActionMenu
          entries={entries}
          target={
            <ActionIcon size={40} loading={running} aria-label={t('common.actionsFor', { name })}>
              <IconDotsVertical size={16} stroke={1.6} aria-hidden />
            </ActionIcon>
          }
        />
      </span>
    </Confirm>
  )
}
