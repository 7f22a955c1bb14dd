import { type Context, epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { writeLog } from '#server/db/logs/log-rows.ts'
import type { LogEvent } from '#shared/log-events.ts'
import { logType } from '#shared/statuses.ts'
import type { ChangeAuthor } from './record.ts'

/** Writes what somebody with rights did into the log, in the transaction that does it. The event holds no secret. */
export function logAction(ctx: Pick<Context, 'clock'>, tx: Tx, actor: ChangeAuthor, event: LogEvent): Promise<void> {
  const { id: userId, username } = actor
  return writeLog(tx, { userId, username, type: logType.admin, event, at: epochSeconds(ctx) })
}
