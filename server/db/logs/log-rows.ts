import type { Tx } from '#server/db/database.ts'
import { fieldNames } from '#shared/field-names.ts'
import { eventText, type LogEvent, logEvents } from '#shared/log-events.ts'
import type { logType } from '#shared/statuses.ts'
import { emptyLogRow } from './log-columns.ts'

export interface LogEntry {
  /** Whose log shows it. */
  readonly userId: number
  readonly username: string
  readonly type: (typeof logType)['topUp' | 'admin' | 'system']
  /** What happened, with before and after; never a secret. */
  readonly event: LogEvent
  readonly quota?: number
  /** The team whose wallet it is about. */
  readonly teamId?: number | undefined
  readonly at: number
}

/** Writes what a person or the system did into the log, in the transaction that did it. */
export async function writeLog(tx: Tx, entry: LogEntry): Promise<void> {
  const { userId, username, type, event, quota = 0, teamId = 0, at } = entry
  const said = { content: eventText(logEvents, event, fieldNames) ?? '', detail: JSON.stringify({ event }) }
  await tx
    .insertInto('logs')
    .values({ ...emptyLogRow, user_id: userId, username, type, ...said, quota, team_id: teamId, created_at: at })
    .execute()
}
