import type { Log, RunningRequest } from '#shared/api/logs.ts'
import { logType } from '#shared/statuses.ts'
import type { TFunction } from '#web/lib/i18n.ts'
import styles from './logs.module.css'

/** A request that is being answered, as a row of the list: it has no number yet. */
export const runningRow = (request: RunningRequest): Log => ({
  ...request,
  id: 0,
  type: logType.consumption,
  completion_tokens: 0,
  cached_tokens: 0,
  quota: 0,
  content: '',
  outcome: '',
  tried: [],
  detail: {},
  token_id: 0,
})

export const isRunning = (row: Log): boolean => row.id === 0

/** For how long it has been running when it was last asked for. */
export const RunningMark = ({ t, row }: { t: TFunction; row: Log }) => (
  <span className={styles.runs}>
    <span className={styles.liveMark} aria-hidden="true" />
    {t('logs.running', { time: `${(row.duration_ms / 1000).toFixed(1)} s` })}
  </span>
)
