import { Database as Sqlite } from 'bun:sqlite'
import { dirname } from 'node:path'
import { makeFolder, unusable } from '#server/db/unusable.ts'
import type { Config } from '#server/process/config.ts'
import { Refusal } from '#server/process/refusal.ts'

const scheme = 'sqlite:'
const severalNeed = 'One process serves a SQLite file; for several use PostgreSQL (DATABASE_URL=postgres://…).'

/**
 * Makes this process the only one that serves a SQLite file: what running requests hold lives in its memory, and a second
 * process would spend the same money again. The lock is the operating system's and ends with the process, however it ends.
 */
export function claimSqliteFile({ DATABASE_URL }: Pick<Config, 'DATABASE_URL'>, advice = severalNeed): () => void {
  const file = DATABASE_URL.startsWith(scheme) ? DATABASE_URL.slice(scheme.length) : ':memory:'
  if (file === ':memory:') return () => {}
  makeFolder(dirname(file))
  let lock: Sqlite | undefined
  try {
    lock = new Sqlite(`${file}.lock`, { create: true })
    lock.run('pragma locking_mode = exclusive')
    lock.run('begin exclusive')
  } catch (error) {
    lock?.close()
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') {
      throw new Refusal(`Another process already serves ${file}. ${advice}`)
    }
    throw unusable(file, error)
  }
  return () => lock.close()
}
