import type { Insertable } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { appendLogs } from '#server/db/logs/append-logs.ts'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import type { LogsTable } from '#server/db/logs/logs-table.ts'
import type { ForeignLog, ForeignReader } from '#server/import/form.ts'
import type { Report } from '#server/import/report.ts'
import { logType } from '#shared/statuses.ts'
import { counterOf, noteEncoding } from './run.ts'
import { readLogsDone, writeLogsDone } from './target.ts'

const known: readonly number[] = [logType.topUp, logType.consumption, logType.admin, logType.system]

interface LogImport {
  readonly db: Db
  readonly reader: ForeignReader
  readonly report: Report
  /** The last row that belongs to the balances taken over. */
  readonly until: number
}

/** Takes log rows over a page a transaction, and remembers how far: an interrupted import goes on where it stopped. */
export async function storeLogs({ db, reader, report, until }: LogImport): Promise<void> {
  const after = await readLogsDone(db)
  if (after >= until) return
  for await (const page of reader.logs({ after, until })) {
    const owners = await ownersOf(db, page)
    const kept = page.filter((row) => owners.has(row.userId))
    await db.transaction().execute(async (tx) => {
      await appendLogs(tx, kept.map(logRow))
      await writeLogsDone(tx, page.at(-1)?.id ?? after)
    })
    for (const row of kept) noteEncoding({ report }, `log row ${row.id}`, row.content, row.modelName, row.tokenName)
    report.count('log rows', kept.length)
    report.count('log rows of deleted users left out', page.length - kept.length)
  }
}

async function ownersOf(db: Db, page: readonly ForeignLog[]): Promise<ReadonlySet<number>> {
  const ids = [...new Set(page.map(({ userId }) => userId))]
  const rows = await db.selectFrom('users').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Rows get new numbers: those below the mark of the totals would never be added up. */
const logRow = (row: ForeignLog): Insertable<LogsTable> => ({
  ...emptyLogRow,
  user_id: row.userId,
  created_at: row.createdAt,
  type: known.includes(row.type) ? row.type : logType.system,
  content: row.content,
  username: row.username,
  token_name: row.tokenName,
  token_id: row.tokenId,
  model_name: row.modelName,
  quota: counterOf(row.quota),
  prompt_tokens: counterOf(row.promptTokens),
  completion_tokens: counterOf(row.completionTokens),
  cached_tokens: counterOf(row.cachedTokens),
  channel: row.channelId,
  request_id: row.requestId,
  duration_ms: counterOf(row.durationMs),
  is_stream: Number(row.isStream),
  group: row.group,
})
