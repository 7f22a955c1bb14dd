import { Database } from 'bun:sqlite'
import { logColumnNames } from '#server/db/logs/log-columns.ts'
import type { LogsTable } from '#server/db/logs/logs-table.ts'
import { logType } from '#shared/statuses.ts'

const daySeconds = 86_400
const requestsADay = 60
const rowsOfEach = 40

/** Numbers from 0 up to 1 that look random and are the same in every run. */
function createChance(): () => number {
  let state = 20_261_118
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

/** The requests of a day among those there are: fewer at the weekend, more towards the end, most in working hours. */
function dayOf(rows: readonly LogsTable[], midnight: number, growth: number, chance: () => number): LogsTable[] {
  const isWeekend = [0, 6].includes(new Date(midnight * 1000).getUTCDay())
  const count = Math.round(requestsADay * growth * (isWeekend ? 0.35 : 0.8 + chance() * 0.4))
  return Array.from({ length: count }, () => {
    const row = rows[Math.floor(chance() * rows.length)] as LogsTable
    const hour = 7 + (chance() + chance()) * 6
    const scale = (value: number) => Math.round(value * rowsOfEach)
    return {
      ...row,
      request_id: '',
      created_at: midnight + Math.round(hour * 3600),
      quota: scale(row.quota),
      cost: row.cost === null ? null : scale(row.cost),
      prompt_tokens: scale(row.prompt_tokens),
      completion_tokens: scale(row.completion_tokens),
      cached_tokens: scale(row.cached_tokens),
      duration_ms: Math.round(row.duration_ms * (0.6 + chance())),
      first_byte_ms: Math.round(row.first_byte_ms * (0.6 + chance())),
    }
  })
}

/** Repeats the requests of a demo over the days before, so that charts have something to show. Nobody serves the file meanwhile. */
export function addHistory(file: string, days: number): void {
  const database = new Database(file)
  const columns = logColumnNames.map((name) => `"${name}"`).join(', ')
  const values = logColumnNames.map((name) => `$${name}`).join(', ')
  const insert = database.prepare(`insert into logs (${columns}) values (${values})`)
  const rows = database
    .query<LogsTable, [number]>(`select ${columns} from logs where type = ?`)
    .all(logType.consumption)
  const chance = createChance()
  const today = Math.floor(Date.now() / 1000 / daySeconds) * daySeconds
  database.transaction(() => {
    for (let ago = days; ago > 0; ago -= 1)
      for (const row of dayOf(rows, today - ago * daySeconds, 0.6 + 0.8 * (1 - ago / days), chance))
        insert.run(Object.fromEntries(logColumnNames.map((name) => [`$${name}`, row[name]])))
  })()
  database.close()
}
