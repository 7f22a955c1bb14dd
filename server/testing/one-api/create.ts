import { bcrypt, createOldDatabase, type OldDatabase } from '#server/testing/old-database.ts'
import { type Making, oneApiRows, passwords } from './data.ts'
import { type OneApiTable, schemas } from './schema.ts'

/** A one-api database of the engine this suite runs on. */
export async function oneApiDatabase(making: Omit<Making, 'hashes'>): Promise<OldDatabase> {
  const hashes = { root: await bcrypt(passwords.root), ann: await bcrypt(passwords.ann) }
  const rows = oneApiRows({ ...making, hashes })
  const tables = Object.entries(schemas[making.version]).map(([table, columns]) => [
    table,
    { columns, rows: rows[table as OneApiTable] },
  ])
  return createOldDatabase(Object.fromEntries(tables))
}

/** The same. Returns where it is. */
export const createOneApi = async (making: Omit<Making, 'hashes'>): Promise<string> =>
  (await oneApiDatabase(making)).address
