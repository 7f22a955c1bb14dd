import { bcrypt, createOldDatabase } from '#server/testing/old-database.ts'
import { type Making, oneApiRows, passwords } from './data.ts'
import { type OneApiTable, schemas } from './schema.ts'

/** A one-api database of the engine this suite runs on. Answers where it is. */
export async function createOneApi(making: Omit<Making, 'hashes'>): Promise<string> {
  const hashes = { root: await bcrypt(passwords.root), ann: await bcrypt(passwords.ann) }
  const rows = oneApiRows({ ...making, hashes })
  const tables = Object.entries(schemas[making.version]).map(([table, columns]) => [
    table,
    { columns, rows: rows[table as OneApiTable] },
  ])
  return (await createOldDatabase(Object.fromEntries(tables))).address
}
