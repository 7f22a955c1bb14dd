import { CompiledQuery, type Insertable } from 'kysely'
import { isSqlite, type Tx } from '#server/db/database.ts'
import { logColumnNames, logColumns } from './log-columns.ts'
import type { LogsTable } from './logs-table.ts'

type LogRow = Omit<Insertable<LogsTable>, 'id'>

const columns = logColumnNames.map((name) => `"${name}"`).join(', ')
const rowsAtOnce = 50

const questionMarks = `(${logColumnNames.map(() => '?').join(', ')})`
/** SQLite has a statement for each number of rows: there are few, so that it knows them already. */
const insertRows = (count: number): CompiledQuery =>
  CompiledQuery.raw(`insert into logs (${columns}) values ${Array(count).fill(questionMarks).join(', ')}`)
const [insertMany, insertOne] = [insertRows(rowsAtOnce), insertRows(1)]

const arrays = logColumnNames.map((name, at) => `$${at + 1}::${logColumns[name]}[]`)
const insertArrays = CompiledQuery.raw(`insert into logs (${columns}) select * from unnest(${arrays.join(', ')})`)

/** Writes many rows at once, with statements that are made and understood once. */
export async function appendLogs(tx: Tx, rows: readonly LogRow[]): Promise<void> {
  if (!isSqlite(tx)) {
    const parameters = logColumnNames.map((name) => rows.map((row) => row[name]))
    if (rows.length > 0) await tx.executeQuery({ ...insertArrays, parameters })
    return
  }
  const valuesOf = (row: LogRow) => logColumnNames.map((name) => row[name])
  const whole = rows.length - (rows.length % rowsAtOnce)
  for (let at = 0; at < whole; at += rowsAtOnce) {
    await tx.executeQuery({ ...insertMany, parameters: rows.slice(at, at + rowsAtOnce).flatMap(valuesOf) })
  }
  for (const row of rows.slice(whole)) await tx.executeQuery({ ...insertOne, parameters: valuesOf(row) })
}
