import { existsSync } from 'node:fs'
import type { Config } from '#server/process/config.ts'
import { Refusal } from '#server/process/refusal.ts'
import { sqliteFile } from './backup-folder.ts'

/** Refuses a SQLite file that does not exist: opening it would make an empty one, and the report would be about that. */
export function requireDatabase(config: Config): void {
  const file = sqliteFile(config)
  if (file === null || existsSync(file)) return
  throw new Refusal(`There is no database at ${file}. Set DATA_DIR or DATABASE_URL as the server has it.`)
}
