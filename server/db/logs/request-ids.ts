import { type SqlBool, sql } from 'kysely'
import { type Db, isSqlite } from '#server/db/database.ts'
import { idLength, timeOfId } from '#server/lib/random.ts'
import { logType } from '#shared/statuses.ts'

/** SQLite finds a row by the time at which its request began, unless it took longer. */
const soonSeconds = 10

/** The others by their id, in the words of the index: long requests, slices of sessions, and rows of other programs. */
const isIndexed = sql<SqlBool>`request_id <> '' and (duration_ms >= ${sql.lit(soonSeconds * 1000)} or length(request_id) <> ${sql.lit(idLength)})`

/** The row of a request. */
export async function requestRow(db: Db, requestId: string) {
  if (requestId === '') return undefined
  const rows = db
    .selectFrom('logs')
    .selectAll()
    .where('request_id', '=', requestId)
    .where('type', 'in', [logType.consumption, logType.refused])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
  if (!isSqlite(db)) return rows.executeTakeFirst()
  const began = timeOfId(requestId)
  if (began !== null) {
    const from = Math.floor(began / 1000) - 1
    const soon = rows.where('created_at', '>=', from).where('created_at', '<=', from + soonSeconds + 2)
    const row = await soon.executeTakeFirst()
    if (row) return row
  }
  return rows.where(isIndexed).executeTakeFirst()
}
