import { existsSync } from 'node:fs'
import type { Config } from '#server/process/config.ts'
import { sqliteFile } from './backup-folder.ts'
import { Refusal } from './command.ts'

/** Refuses a SQLite file that is not there: a new, empty one would be opened, and what is said of it true of nothing. */
export function requireDatabase(config: Config): void {
  const file = sqliteFile(config)
  if (file === null || existsSync(file)) return
  throw new Refusal(`There is no database at ${file}. Set DATA_DIR or DATABASE_URL as the server has it.`)
}
