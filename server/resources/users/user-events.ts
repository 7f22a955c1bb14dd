import type { UserRow } from '#server/accounts/present-user.ts'
import type { Tx } from '#server/db/database.ts'
import { writeLog } from '#server/db/logs/log-rows.ts'
import { fromTo } from '#server/history/changed-fields.ts'
import type { Actor } from '#server/http/call.ts'
import type { LogEvent } from '#shared/log-events.ts'
import { roles } from '#shared/roles.ts'
import { logType, userStatus } from '#shared/statuses.ts'

type Named = Pick<UserRow, 'username' | 'display_name' | 'group'>
type Standing = Pick<UserRow, 'role' | 'status'>

/** Whoever did it, by number: names are put in where the log is read. */
export const byWhom = ({ id }: Pick<Actor, 'id'>) => ({ actor: { user: id } })

/** What of a profile changed. */
export function profileEvents(actor: Actor, before: Named, after: Named): LogEvent[] {
  const changed = (field: keyof Named, code: 'user.name' | 'user.display_name' | 'user.group'): LogEvent[] =>
    before[field] === after[field]
      ? []
      : [{ code, values: { ...byWhom(actor), ...fromTo(before[field], after[field]) } }]
  return [
    ...changed('username', 'user.name'),
    ...changed('display_name', 'user.display_name'),
    ...changed('group', 'user.group'),
  ]
}

/** What of somebody's standing changed. */
export function standingEvents(actor: Actor, before: Standing, after: Standing): LogEvent[] {
  const values = byWhom(actor)
  const events: LogEvent[] = []
  if (after.role !== before.role)
    events.push({ code: after.role === roles.admin ? 'user.promoted' : 'user.demoted', values })
  if (after.status !== before.status)
    events.push({ code: after.status === userStatus.banned ? 'user.banned' : 'user.activated', values })
  return events
}

/** Writes into a user's log what was done to the account. */
export async function logUserEvents(
  tx: Tx,
  { id, username }: Pick<UserRow, 'id' | 'username'>,
  events: readonly LogEvent[],
  at: number,
): Promise<void> {
  for (const event of events) await writeLog(tx, { userId: id, username, type: logType.admin, event, at })
}
