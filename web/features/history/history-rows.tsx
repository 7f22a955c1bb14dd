import { Skeleton } from '@mantine/core'
import { Fragment } from 'react'
import type { HistoryEntry } from '#shared/api/history.ts'
import { dateTag, formatClockSeconds, formatDate, formatMinute } from '#web/lib/format.ts'
import { type TFunction, useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { nameOf, summaryOf, verbOf, whyNot } from './entry-words.ts'
import styles from './history.module.css'
import { UndoButton } from './undo-button.tsx'

interface Props {
  entries: readonly HistoryEntry[]
  loading: boolean
  open: number
  onOpen: (id: number) => void
  onUndo: (id: number) => unknown
}

/** Entries under the days they were made on. */
export function HistoryRows({ entries, loading, open, onOpen, onUndo }: Props) {
  const { t, language } = useTranslation()
  const days = Map.groupBy(entries, ({ time }) => formatDate(time))
  return (
    <table className={styles.table} aria-label={t('history.title')} aria-busy={loading}>
      <thead>
        <tr>
          <th scope="col" className={styles.time}>
            {t('history.time')}
          </th>
          <th scope="col" className={styles.who}>
            {t('history.who')}
          </th>
          <th scope="col">{t('history.what')}</th>
          <th scope="col" className={styles.end}>
            {t('common.undo')}
          </th>
        </tr>
      </thead>
      <tbody>
        {loading && <Waiting />}
        {[...days].map(([day, rows]) => (
          <Fragment key={day}>
            <tr className={styles.day}>
              <th scope="colgroup" colSpan={4}>
                {dayName(t, language, day)}
              </th>
            </tr>
            {rows.map((entry) => (
              <Row key={entry.id} entry={entry} isOpen={entry.id === open} onOpen={onOpen} onUndo={onUndo} />
            ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

const daySeconds = 86_400

/** Today, yesterday, or the day of the week with its date. */
function dayName(t: TFunction, language: string, day: string): string {
  const now = Date.now() / 1000
  if (day === formatDate(now)) return t('history.today')
  if (day === formatDate(now - daySeconds)) return t('history.yesterday')
  const isThisYear = day.slice(0, 4) === formatDate(now).slice(0, 4)
  return new Intl.DateTimeFormat(dateTag(language), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' as const }),
  }).format(new Date(`${day}T12:00:00`))
}

interface RowProps {
  entry: HistoryEntry
  isOpen: boolean
  onOpen: (id: number) => void
  onUndo: (id: number) => unknown
}

function Row({ entry, isOpen, onOpen, onUndo }: RowProps) {
  const { t } = useTranslation()
  const summary = summaryOf(t, useQuotaDisplay(), entry)
  return (
    <tr data-open={isOpen || undefined} data-undone={entry.undone_by !== null || undefined}>
      <td className={styles.time}>{formatClockSeconds(entry.time)}</td>
      <td className={styles.who}>{entry.actor || <span className="dimmed">{t('history.deletedAccount')}</span>}</td>
      <td className={styles.what}>
        <button type="button" className={styles.opener} aria-expanded={isOpen} onClick={() => onOpen(entry.id)}>
          <span className="ellipsis" title={`${verbOf(t, entry)} ${nameOf(t, entry)}`}>
            {verbOf(t, entry)} <b className="name">{nameOf(t, entry)}</b>
          </span>
          {summary && (
            <span className={styles.summary} title={summary}>
              {summary}
            </span>
          )}
        </button>
        {isBlocked(entry) && (
          <span className={styles.reason} title={whyNot(t, entry)}>
            {whyNot(t, entry)}
          </span>
        )}
        <span className={styles.phoneMeta}>
          {[entry.actor || t('history.deletedAccount'), formatClockSeconds(entry.time)].join(t('common.comma'))}
        </span>
      </td>
      <td className={styles.end}>
        <UndoCell entry={entry} onUndo={onUndo} />
      </td>
    </tr>
  )
}

function UndoCell({ entry, onUndo }: Pick<RowProps, 'entry' | 'onUndo'>) {
  const { t } = useTranslation()
  if (entry.undone_by !== null) {
    const time = formatMinute(entry.undone_time ?? 0)
    return <span className={styles.note}>{t('history.undoneBy', { time, who: entry.undone_actor })}</span>
  }
  if (!entry.undoable)
    return (
      <span className={styles.note} title={whyNot(t, entry)}>
        {t(isFinal(entry) ? 'history.final' : 'history.blocked')}
      </span>
    )
  return (
    <UndoButton
      entry={entry}
      label={t('common.undo')}
      onUndo={onUndo}
      variant="subtle"
      color="gray"
      size="compact-sm"
      mr={-8}
    />
  )
}

const isFinal = ({ why_not_code }: HistoryEntry): boolean => /^history\.(final|expired)/.test(why_not_code)

/** What can be undone once something else has been changed. */
const isBlocked = (entry: HistoryEntry): boolean => entry.undone_by === null && !entry.undoable && !isFinal(entry)

const widths = [62, 48, 55, 40, 60]

function Waiting() {
  return widths.map((width) => (
    <tr key={width}>
      <td colSpan={4}>
        <Skeleton height={10} width={`${width}%`} />
      </td>
    </tr>
  ))
}
