import type { Insertable } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import type { LogsTable } from '#server/db/logs/logs-table.ts'
import { logType } from '#shared/statuses.ts'
import { counterOf } from './import-run.ts'
import type { Report } from './report.ts'
import { SourceLog } from './rows.ts'
import { pages, type Source } from './source.ts'
import { readLogsDone, writeLogsDone } from './target.ts'

const rowsPerInsert = 500
const known: readonly number[] = [logType.topUp, logType.consumption, logType.admin, logType.system]

interface LogImport {
  readonly db: Db
  readonly source: Source
  readonly report: Report
  /** The last row that belongs to the balances taken over. */
  readonly until: number
}

/** Takes log rows over a page a transaction, and remembers how far: an interrupted import goes on where it stopped. */
export async function importLogs({ db, source, report, until }: LogImport): Promise<void> {
  const owners = new Set((await db.selectFrom('users').select('id').execute()).map(({ id }) => id))
  const after = await readLogsDone(db)
  for await (const page of pages(source, 'logs', SourceLog, { after, until })) {
    const kept = page.filter((row) => owners.has(row.user_id))
    await db.transaction().execute(async (tx) => {
      for (let at = 0; at < kept.length; at += rowsPerInsert) {
        await tx
          .insertInto('logs')
          .values(kept.slice(at, at + rowsPerInsert).map(logRow))
          .execute()
      }
      await writeLogsDone(tx, page.at(-1)?.id ?? after)
    })
    report.count('log rows', kept.length)
    report.count('log rows of deleted users left out', page.length - kept.length)
  }
}

/** Rows get new numbers: those below the mark of the totals would never be added up. */
const logRow = (row: SourceLog): Insertable<LogsTable> => ({
  ...emptyLogRow,
  user_id: row.user_id,
  created_at: row.created_at,
  type: known.includes(row.type) ? row.type : logType.system,
  content: row.content,
  username: row.username,
  token_name: row.token_name,
  model_name: row.model_name,
  quota: counterOf(row.quota),
  prompt_tokens: counterOf(row.prompt_tokens),
  completion_tokens: counterOf(row.completion_tokens),
  channel: row.channel_id,
  request_id: row.request_id,
  duration_ms: counterOf(row.elapsed_time || Math.round(row.duration * 1000)),
  is_stream: Number(row.is_stream),
})
