import { resolve } from 'node:path'
import type { Config } from '#server/process/config.ts'

/** A backup is a folder with these two files, as a data folder has them. */
export const databaseName = 'switchyard.db'
export const keyName = 'secret.key'

/** Where the SQLite database is, or null when the data is elsewhere. */
export const sqliteFile = ({ DATABASE_URL: url }: Config): string | null =>
  url.startsWith('sqlite:') && url !== 'sqlite::memory:' ? resolve(url.slice('sqlite:'.length)) : null
