import type { Database as Sqlite } from 'bun:sqlite'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { type Db, openForReading } from '#server/db/database.ts'
import { journalPath } from '#server/db/journal/replay-journal.ts'
import { appliedMigrations } from '#server/db/migrate.ts'
import { createSecretBox } from '#server/lib/secret-box.ts'
import type { Config } from '#server/process/config.ts'
import { Refusal } from '#server/process/refusal.ts'
import { isSealedWith } from '#server/process/secret-check.ts'
import { readArguments } from './arguments.ts'
import { copyDatabase, copyPrivately } from './backup.ts'
import { databaseName, keyName, sqliteFile } from './backup-folder.ts'
import type { Command } from './command.ts'
import { withDatabase } from './with-database.ts'

export const restore: Command = {
  summary: 'Put a backup in place, into an empty data folder',
  usage: '<folder of the backup>',
  help: [
    'DATA_DIR must be empty or missing. The backup is checked first: that the database is whole and of no newer version, and',
    'that the key opens what is sealed in it. Afterwards every balance is proven against the ledger. A copy of a data folder',
    'made by hand is taken as well, with the -wal and .settlements that lie beside its database.',
  ].join('\n'),
  async run(config, args) {
    const folder = resolve(readArguments(args, 'folder of the backup').first)
    const target = sqliteFile(config)
    if (target === null) {
      throw new Refusal('The data is in PostgreSQL: pg_restore --no-owner --dbname="$DATABASE_URL" <file of pg_dump>')
    }
    refuseUsed(config, target)
    await checkBackup(config, folder)
    put(target, (partial) => copyDatabase(join(folder, databaseName), partial))
    if (config.SECRET_KEY === '') {
      put(join(config.DATA_DIR, keyName), (partial) => copyPrivately(join(folder, keyName), partial))
    }
    return proveRestored(config)
  },
}

/** What lies beside a database would be read as a part of the one that is put there. */
function refuseUsed({ DATA_DIR }: Config, target: string): void {
  if (existsSync(DATA_DIR) && readdirSync(DATA_DIR).length > 0) throw used(resolve(DATA_DIR))
  const there = [target, `${target}-wal`, journalPath(target)].find((file) => existsSync(file))
  if (there !== undefined) throw used(there)
}

const used = (place: string) => new Refusal(`${place} already holds data. Restore into an empty DATA_DIR.`)

/** A backup that could not be used is refused before anything is written. */
async function checkBackup(config: Config, folder: string): Promise<void> {
  const file = join(folder, databaseName)
  if (!existsSync(file)) throw new Refusal(`There is no ${databaseName} in ${folder}: this is no backup.`)
  const key = join(folder, keyName)
  const secret = config.SECRET_KEY || (existsSync(key) ? readFileSync(key, 'utf8').trim() : '')
  if (secret === '') throw new Refusal('The backup has no secret.key: set SECRET_KEY to the one the server had.')
  const { sqlite, db } = openForReading(file)
  try {
    const found = soundness(sqlite)
    if (found !== 'ok') throw new Refusal(`The database of the backup is damaged: ${found}`)
    if (!(await isOurs(db))) throw new Refusal(`${file} is no database of Switchyard: this is no backup.`)
    await appliedMigrations(db)
    if (!(await isSealedWith(db, createSecretBox(secret)))) {
      throw new Refusal('The secret key does not open what is sealed in the backup: it belongs to another server.')
    }
  } finally {
    sqlite.close()
  }
}

function soundness(sqlite: Sqlite): string | undefined {
  try {
    return sqlite.query<{ quick_check: string }, []>('pragma quick_check(1)').get()?.quick_check
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function isOurs(db: Db): Promise<boolean> {
  const tables = (await db.introspection.getTables()).map(({ name }) => name)
  return ['migrations', 'users', 'channels'].every((name) => tables.includes(name))
}

/** Under another name first, so that an interrupted copy is never taken for the data. */
function put(to: string, copy: (partial: string) => void): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  const partial = `${to}.partial`
  try {
    rmSync(partial, { force: true })
    copy(partial)
    renameSync(partial, to)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

const proveRestored = (config: Config): Promise<number> =>
  withDatabase(config.DATABASE_URL, async ({ db }) => {
    const drifts = await reconcile(db)
    console.log(`Restored into ${resolve(config.DATA_DIR)}; ${drifts.length} balances drift from the ledger.`)
    return drifts.length === 0 ? 0 : 1
  })
