import { type Context, epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { writeLog } from '#server/db/logs/log-rows.ts'
import { logType } from '#shared/statuses.ts'
import type { ChangeAuthor } from './record.ts'

/** Writes what somebody with rights did into the log, in the transaction that does it. `content` holds no secret. */
export function logAction(ctx: Pick<Context, 'clock'>, tx: Tx, actor: ChangeAuthor, content: string): Promise<void> {
  const { id: userId, username } = actor
  return writeLog(tx, { userId, username, type: logType.admin, content, at: epochSeconds(ctx) })
}
