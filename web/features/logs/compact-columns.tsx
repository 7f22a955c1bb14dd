import type { Log } from '#shared/api/logs.ts'
import { dollars } from '#shared/quota.ts'
import type { Column } from '#web/components/table/column.ts'
import { formatClockSeconds, formatCount, formatSeconds, formatTime, type QuotaDisplay } from '#web/lib/format.ts'
import type { TFunction } from '#web/lib/i18n.ts'
import { detailOf } from './charge.ts'
import { LogOpener, type Opening } from './log-opener.tsx'
import styles from './logs.module.css'
import { rowText } from './row-text.ts'
import { isRunning, RunningMark } from './running-rows.tsx'

const orNone = (t: TFunction, value: string) =>
  value === '' ? <span className="dimmed">{t('common.none')}</span> : value

const count = (value: number): string => (value === 0 ? '' : formatCount(value))

/** What a row cost, or why it failed. */
function spentOf(row: Log, { inCurrency, quotaPerUnit }: QuotaDisplay): string {
  if (row.quota === 0) return ''
  return inCurrency ? dollars(row.quota, quotaPerUnit, 4) : formatCount(row.quota)
}

/** Beside an open panel there is room for less: who and with what stand under the model. */
export const compactColumns = (t: TFunction, opening: Opening, display: QuotaDisplay): ReadonlyArray<Column<Log>> => [
  {
    id: 'time',
    header: t('logs.columns.time'),
    cell: (row) => formatClockSeconds(row.created_at),
    sortBy: (row) => (isRunning(row) ? Number.MAX_SAFE_INTEGER : row.created_at),
    title: (row) => formatTime(row.created_at),
    width: 88,
    phone: 'meta',
  },
  {
    id: 'model',
    header: t('logs.panel.modelTokenUser'),
    cell: (row) => {
      const what = row.model_name || rowText(t, row)
      const who = [row.token_name, row.username].filter(Boolean).join(t('common.comma'))
      const lines = (
        <>
          <span className={`${styles.first} ${row.model_name ? 'mono' : ''}`} title={what}>
            {what}
          </span>
          <span className={styles.second} title={who}>
            {who}
          </span>
        </>
      )
      if (isRunning(row)) return lines
      return (
        <LogOpener row={row} opening={opening}>
          {lines}
        </LogOpener>
      )
    },
    phone: 'title',
  },
  {
    id: 'prompt',
    header: t('logs.columns.prompt'),
    cell: (row) => orNone(t, count(row.prompt_tokens)),
    width: 72,
    align: 'end',
    phone: 'hidden',
  },
  {
    id: 'completion',
    header: t('logs.columns.completion'),
    cell: (row) => orNone(t, count(row.completion_tokens)),
    width: 88,
    align: 'end',
    phone: 'hidden',
    drop: 1,
  },
  {
    id: 'firstByte',
    header: t('logs.detail.firstByte'),
    cell: (row) => orNone(t, row.first_byte_ms > 0 ? formatSeconds(row.first_byte_ms) : ''),
    width: 80,
    align: 'end',
    phone: 'hidden',
    drop: 2,
  },
  {
    id: 'quota',
    header: t('logs.panel.spent'),
    cell: (row) => {
      if (isRunning(row)) return <RunningMark t={t} row={row} />
      const { fault } = detailOf(row.detail)
      if (row.outcome !== 'failed' || !fault) return orNone(t, spentOf(row, display))
      return (
        <span className={styles.failed} title={`${fault.status} ${fault.code}`}>
          {`${fault.status} ${fault.code}`}
        </span>
      )
    },
    sortBy: (row) => row.quota,
    width: 112,
    align: 'end',
    phone: 'state',
  },
]
