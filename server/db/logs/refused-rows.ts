import type { Db, Tx } from '#server/db/database.ts'
import { usageColumns } from '#server/db/usage/cells.ts'
import { withoutZeros } from '#server/lib/text/without-zeros.ts'
import { logType } from '#shared/statuses.ts'
import { appendLogs } from './append-logs.ts'
import { emptyLogRow } from './log-columns.ts'
import { writeRoute } from './route-record.ts'

/** Requests that were refused alike, as one row of the log. */
export interface RefusedRow {
  /** Of the first of them. */
  readonly id: string
  readonly at: number
  readonly userId: number
  readonly username: string
  readonly tokenId: number
  readonly tokenName: string
  readonly teamId: number
  readonly group: string
  readonly model: string
  readonly status: number
  readonly code: string
  readonly message: string
  readonly count: number
}

const logRow = ({ id, at, userId, username, tokenId, tokenName, teamId, group, ...refused }: RefusedRow) => ({
  ...emptyLogRow,
  user_id: userId,
  created_at: at,
  type: logType.refused,
  content: withoutZeros(refused.count > 1 ? `${refused.message} (${refused.count} times)` : refused.message),
  username,
  token_name: tokenName,
  model_name: withoutZeros(refused.model),
  request_id: id,
  outcome: 'failed',
  detail: JSON.stringify({
    fault: { status: refused.status, code: refused.code },
    ...(refused.count > 1 ? { refused: refused.count } : {}),
  }),
  token_id: tokenId,
  team_id: teamId,
  group,
  cost: 0,
  route: writeRoute({ reserve: 0, tries: [], candidates: '', refused: refused.count }),
})

/** Whose account was erased meanwhile is not named any more. */
async function ofPresentUsers(tx: Tx, refused: readonly RefusedRow[]): Promise<readonly RefusedRow[]> {
  const ids = [...new Set(refused.map(({ userId }) => userId))]
  const present = await tx.selectFrom('users').select('id').where('id', 'in', ids).execute()
  const there = new Set(present.map(({ id }) => id))
  return refused.filter(({ userId }) => there.has(userId))
}

/** Adds them to the log, or to usage alone where requests are not logged. */
export const appendRefused = (db: Db, refused: readonly RefusedRow[], unlogged: boolean): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const rows = (await ofPresentUsers(tx, refused)).map(logRow)
    if (!unlogged) return appendLogs(tx, rows)
    const usage = rows.map((row) => Object.fromEntries(usageColumns.map((name) => [name, row[name]])) as typeof row)
    for (const row of usage) await tx.insertInto('unlogged_usage').values(row).execute()
  })
