import { IconDotsVertical } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Log } from '#shared/api/logs.ts'
import { LogTypeBadge } from '#web/components/data/badges.tsx'
import { Money } from '#web/components/data/money.tsx'
import type { Column } from '#web/components/table/column.ts'
import { formatCount, formatTime } from '#web/lib/format.ts'
import type { TFunction } from '#web/lib/i18n.ts'
import { LogOpener, type Opening } from './log-opener.tsx'
import styles from './logs.module.css'
import { rowText } from './row-text.ts'
import { isRunning, RunningMark } from './running-rows.tsx'

/** Missing values are a dash. */
const orNone = (t: TFunction, value: ReactNode): ReactNode =>
  value === '' || value === 0 || value === '0' ? <span className="dimmed">{t('common.none')}</span> : value

/** In two lines where one is too narrow for it. */
const named = (t: TFunction, name: string, mono = false): ReactNode =>
  orNone(t, name && <span className={`${styles.name} ${mono ? `mono ${styles.small}` : ''}`}>{name}</span>)

const count = (t: TFunction, value: number): ReactNode => orNone(t, formatCount(value))

/** What it took from the balance, or that it has not ended yet. */
const spent = (t: TFunction, row: Log): ReactNode => {
  if (isRunning(row)) return <RunningMark t={t} row={row} />
  return row.quota === 0 ? null : <Money quota={row.quota} exact />
}

function adminColumns(t: TFunction): Array<Column<Log>> {
  return [
    {
      id: 'channel',
      header: t('logs.columns.channel'),
      cell: (row) =>
        orNone(t, row.channel === 0 ? '' : <span className={`mono dimmed ${styles.small}`}>{row.channel}</span>),
      width: 66,
      least: 60,
      phone: 'hidden',
    },
    {
      id: 'user',
      header: t('logs.columns.user'),
      cell: (row) => named(t, row.username),
      title: (row) => row.username,
      width: 106,
      least: 92,
      phone: 'hidden',
    },
  ]
}

/** The first columns: when, through what, by whom. */
const whoColumns = (t: TFunction, admin: boolean): Array<Column<Log>> => [
  {
    id: 'time',
    header: t('logs.columns.time'),
    cell: (row) => formatTime(row.created_at),
    sortBy: (row) => (isRunning(row) ? Number.MAX_SAFE_INTEGER : row.created_at),
    width: 150,
    least: 148,
    phone: 'meta',
  },
  ...(admin ? adminColumns(t) : []),
  {
    id: 'token',
    header: t('logs.columns.token'),
    cell: (row) => named(t, row.token_name),
    phoneCell: (row) => row.token_name,
    title: (row) => row.token_name,
    width: 118,
    least: 90,
    phone: 'meta',
  },
  {
    id: 'type',
    header: t('logs.columns.type'),
    cell: (row) => <LogTypeBadge type={row.type} />,
    width: 111,
    least: 106,
    phone: 'badge',
  },
  {
    id: 'model',
    header: t('logs.columns.model'),
    cell: (row) => named(t, row.model_name, true),
    phoneCell: (row) => row.model_name || rowText(t, row),
    title: (row) => row.model_name,
    width: 188,
    least: 122,
    phone: 'title',
  },
]

/** What it took, what it cost, and why. */
const whatColumns = (t: TFunction, opening: Opening): Array<Column<Log>> => [
  {
    id: 'prompt',
    header: t('logs.columns.prompt'),
    cell: (row) => count(t, row.prompt_tokens),
    width: 74,
    least: 64,
    align: 'end',
    phone: 'hidden',
  },
  {
    id: 'completion',
    header: t('logs.columns.completion'),
    cell: (row) => count(t, row.completion_tokens),
    width: 88,
    least: 84,
    align: 'end',
    phone: 'hidden',
    drop: 5,
  },
  {
    id: 'quota',
    header: t('logs.columns.quota'),
    cell: (row) => orNone(t, spent(t, row) ?? ''),
    phoneCell: (row) => spent(t, row),
    sortBy: (row) => row.quota,
    width: 148,
    least: 134,
    align: 'end',
    phone: 'state',
  },
  {
    id: 'details',
    header: t('logs.columns.details'),
    cell: (row) =>
      !isRunning(row) && (
        <LogOpener row={row} opening={opening}>
          <span
            className={styles.text}
            data-failed={row.outcome === 'failed' || undefined}
            title={rowText(t, row) || undefined}
          >
            {rowText(t, row) || t('logs.detail.open')}
          </span>
        </LogOpener>
      ),
    phoneCell: (row) =>
      !isRunning(row) && (
        <LogOpener row={row} opening={opening}>
          <IconDotsVertical size={16} stroke={1.6} aria-hidden />
        </LogOpener>
      ),
    least: 116,
    phone: 'actions',
  },
]

export const logColumns = (t: TFunction, admin: boolean, opening: Opening): Array<Column<Log>> => [
  ...whoColumns(t, admin),
  ...whatColumns(t, opening),
]
