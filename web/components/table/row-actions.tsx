import { ActionIcon, Loader, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconDotsVertical, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { ActionMenu } from '#web/components/overlay/action-menu.tsx'
import { Confirm } from '#web/components/overlay/confirm.tsx'
import { useRunning } from '#web/hooks/use-running.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { PhoneActions } from './phone-actions.tsx'
import { useInPhoneRows } from './phone-rows.ts'
import type { RowAction } from './row-action.ts'
import styles from './row-actions.module.css'

const icons = { edit: IconPencil, delete: IconTrash, more: IconDotsVertical }

interface Props {
  /** The row's name, for the names of its buttons: "Delete ci-evals". */
  name: string
  actions: readonly RowAction[]
}

/** What can be done to a row: verbs and icons in a table, one menu in two-line rows. */
export function RowActions({ name, actions }: Props) {
  if (useInPhoneRows()) return <PhoneActions name={name} actions={actions} />
  return (
    <span className={styles.actions}>
      {actions.map((action) => (
        <Action key={action.icon ?? action.widest?.[0] ?? action.label} name={name} action={action} />
      ))}
    </span>
  )
}

function Action({ name, action }: { name: string; action: RowAction }) {
  const [asking, setAsking] = useState(false)
  const [running, run] = useRunning()
  const press = () => (action.confirm ? setAsking(true) : void run(action.run))
  const button = action.icon ? (
    <IconAction name={name} action={action} onPress={press} />
  ) : (
    <VerbAction name={name} action={action} running={running} onPress={press} />
  )
  if (!action.confirm) return button
  return (
    <Confirm
      question={action.confirm}
      onConfirm={() => action.run?.()}
      opened={asking}
      onClose={() => setAsking(false)}
    >
      {button}
    </Confirm>
  )
}

interface ButtonProps {
  name: string
  action: RowAction
  onPress: () => void
}

const names = { edit: 'common.editNamed', delete: 'common.deleteNamed', more: 'common.moreNamed' } as const

function IconAction({ name, action, onPress, ...target }: ButtonProps) {
  const { t } = useTranslation()
  const Icon = icons[action.icon ?? 'edit']
  const label = t(names[action.icon ?? 'edit'], { name })
  const disabled = action.disabled ?? false
  const shared = { ...target, className: styles.icon, 'aria-label': label, title: action.label, disabled }
  const drawing = <Icon size={16} stroke={1.6} aria-hidden />
  if (action.icon === 'more')
    return <ActionMenu entries={action.choices ?? []} target={<ActionIcon {...shared}>{drawing}</ActionIcon>} />
  if (!action.to || disabled)
    return (
      <ActionIcon {...shared} onClick={onPress}>
        {drawing}
      </ActionIcon>
    )
  return (
    <ActionIcon {...shared} component={Link} to={action.to}>
      {drawing}
    </ActionIcon>
  )
}

function VerbAction({ name, action, running, onPress, ...target }: ButtonProps & { running: boolean }) {
  const { t } = useTranslation()
  const choices = action.choices ?? []
  return (
    <span className={styles.split}>
      <UnstyledButton
        {...target}
        className={styles.verb}
        onClick={onPress}
        disabled={action.disabled}
        aria-label={`${action.label} ${name}`}
        aria-busy={running}
      >
        <span className={styles.words} data-running={running || undefined}>
          <span>{action.label}</span>
          {action.widest?.map((word) => (
            <span key={word} className={styles.ghost} aria-hidden="true">
              {word}
            </span>
          ))}
        </span>
        {running && <Loader className={styles.loader} size={14} color="gray" />}
      </UnstyledButton>
      {choices.length > 0 && (
        <ActionMenu
          entries={choices}
          target={
            <ActionIcon
              size={24}
              className={styles.chevron}
              disabled={action.disabled ?? false}
              aria-label={t('common.menuOf', { action: action.label, name })}
            >
              <IconChevronDown size={14} stroke={1.6} aria-hidden />
            </ActionIcon>
          }
        />
      )}
    </span>
  )
}
