import { Button, Skeleton } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { HistoryEntry } from '#shared/api/history.ts'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { SidePanel } from '#web/components/page/side-panel.tsx'
import { formatTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { historyEntry } from '#web/state/queries/history-queries.ts'
import { nameOf, verbOf, whyNot } from './entry-words.ts'
import { FieldTable } from './field-table.tsx'
import styles from './history.module.css'
import { UndoButton } from './undo-button.tsx'

interface Props {
  id: number
  /** The entries of the list, for the way up and down. */
  ids: readonly number[]
  onOpen: (id: number) => void
  onUndo: (id: number) => unknown
}

const widths = [70, 52, 61, 44]

/** One entry beside the list: who, from where, what before and after, and the way back. */
export function EntryPanel({ id, ids, onOpen, onUndo }: Props) {
  const { t } = useTranslation()
  const { data: entry, isLoadingError, isPending, error, refetch } = useQuery(historyEntry(id))
  const step = (by: number) => {
    const next = ids.includes(id) ? ids[ids.indexOf(id) + by] : undefined
    return next === undefined ? undefined : () => onOpen(next)
  }
  return (
    <SidePanel
      entry={String(id)}
      label={t('history.entry')}
      title={entry ? `${verbOf(t, entry)} ${nameOf(t, entry)}` : t('history.entry')}
      onUp={step(-1)}
      onDown={step(1)}
      onClose={() => onOpen(0)}
    >
      {isLoadingError && <CannotLoad error={error} onRetry={refetch} />}
      {isPending && widths.map((width) => <Skeleton key={width} height={10} width={`${width}%`} mt={20} />)}
      {entry && <Details entry={entry} onUndo={onUndo} />}
    </SidePanel>
  )
}

function Details({ entry, onUndo }: { entry: HistoryEntry; onUndo: (id: number) => unknown }) {
  const { t } = useTranslation()
  const who = entry.actor || t('history.deletedAccount')
  const from = entry.address && t('history.from', { address: entry.address })
  return (
    <>
      <p className={styles.lead}>{[who, formatTime(entry.time), from].filter(Boolean).join(t('common.comma'))}</p>
      <FieldTable entry={entry} />
      <div className={styles.way}>
        {entry.undoable ? (
          <>
            <p className={styles.since}>
              <IconInfoCircle size={16} stroke={1.6} aria-hidden />
              {t('history.unchanged')}
            </p>
            <span className={styles.buttons}>
              <UndoButton entry={entry} label={t('history.undoThis')} onUndo={onUndo} variant="filled" />
              <OpenTarget entry={entry} />
            </span>
            <p className={styles.small}>{t('history.undoHelp')}</p>
          </>
        ) : (
          <>
            <p className={styles.since}>
              <IconInfoCircle size={16} stroke={1.6} aria-hidden />
              {whyNot(t, entry)}
            </p>
            <OpenTarget entry={entry} />
          </>
        )}
      </div>
      <dl className={styles.facts}>
        <dt>{t('history.entry')}</dt>
        <dd className="mono">{entry.id}</dd>
        <Linked label={t('history.undoes')} id={entry.undoes} />
        <Linked label={t('history.undoneIn')} id={entry.undone_by} />
      </dl>
    </>
  )
}

const formOf: Partial<Record<HistoryEntry['kind'], string>> = {
  channel: '/channel/edit/',
  user: '/user/edit/',
  token: '/token/edit/',
  redemption: '/redemption/edit/',
  team: '/team/',
}

/** Leads to the one thing the entry is about, unless it deleted it. */
function OpenTarget({ entry: { kind, target, count, after, before } }: { entry: HistoryEntry }) {
  const { t } = useTranslation()
  const form = formOf[kind]
  const isThere = form !== undefined && count === 1 && /^\d+$/.test(target) && (after !== null || before === null)
  if (!isThere) return null
  return (
    <Button component={Link} to={form + target}>
      {t('history.openTarget', { kind: t(`history.kinds.${kind}`) })}
    </Button>
  )
}

function Linked({ label, id }: { label: string; id: number | null }) {
  if (id === null) return null
  return (
    <>
      <dt>{label}</dt>
      <dd className="mono">
        <Link to={`/history?open=${id}`}>{id}</Link>
      </dd>
    </>
  )
}
