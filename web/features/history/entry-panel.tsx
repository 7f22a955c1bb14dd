import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { HistoryEntry } from '#shared/api/history.ts'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { ApiError } from '#web/lib/api.ts'
import { formatTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { sayRefusal } from '#web/lib/messages.ts'
import { historyEntry } from '#web/state/queries/history-queries.ts'
import { nameOf, verbOf } from './entry-words.ts'
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

/** One entry beside the list: who, from where, what before and after, and the way back. */
export function EntryPanel({ id, ids, onOpen, onUndo }: Props) {
  const { t } = useTranslation()
  const { data: entry, isLoadingError, refetch } = useQuery(historyEntry(id))
  const title = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each entry is read from its title on
  useEffect(() => title.current?.focus(), [id])
  const at = ids.indexOf(id)
  const step = (to: number | undefined, label: string, Icon: typeof IconChevronUp) => (
    <ActionIcon aria-label={label} disabled={to === undefined} onClick={() => to !== undefined && onOpen(to)}>
      <Icon size={16} stroke={1.6} aria-hidden />
    </ActionIcon>
  )
  return (
    <aside
      className={styles.panel}
      aria-label={t('history.entry')}
      onKeyDown={(event) => event.key === 'Escape' && onOpen(0)}
    >
      <div className={styles.panelHead}>
        <h2 ref={title} tabIndex={-1} className={styles.panelTitle}>
          {entry ? `${verbOf(t, entry)} ${nameOf(t, entry)}` : t('history.entry')}
        </h2>
        {step(at > 0 ? ids[at - 1] : undefined, t('history.newer'), IconChevronUp)}
        {step(at >= 0 ? ids[at + 1] : undefined, t('history.older'), IconChevronDown)}
        <ActionIcon aria-label={t('common.close')} onClick={() => onOpen(0)}>
          <IconX size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      </div>
      {isLoadingError && <CannotLoad onRetry={refetch} />}
      {entry && <Details entry={entry} onUndo={onUndo} />}
    </aside>
  )
}

function Details({ entry, onUndo }: { entry: HistoryEntry; onUndo: (id: number) => unknown }) {
  const { t } = useTranslation()
  const who = entry.actor || t('history.deletedAccount')
  const from = entry.address && t('history.from', { address: entry.address })
  return (
    <>
      <p className={styles.lead}>{[who, formatTime(entry.time), from].filter(Boolean).join(', ')}</p>
      <FieldTable entry={entry} />
      <div className={styles.way}>
        {entry.undoable ? (
          <>
            <p>{t('history.unchanged')}</p>
            <UndoButton entry={entry} label={t('history.undoThis')} onUndo={onUndo} variant="filled" />
            <p className={styles.small}>{t('history.undoHelp')}</p>
          </>
        ) : (
          <p>{sayRefusal(refusalOf(entry))}</p>
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

const refusalOf = ({ why_not, why_not_code, why_not_params }: HistoryEntry): ApiError =>
  new ApiError(why_not, 200, why_not_code, why_not_params)

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
