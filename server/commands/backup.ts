import { Database as Sqlite } from 'bun:sqlite'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readJournal } from '#server/db/journal/journal-file.ts'
import { journalPath, replayJournal } from '#server/db/journal/replay-journal.ts'
import type { Config } from '#server/process/config.ts'
import { Refusal } from '#server/process/refusal.ts'
import { readArguments } from './arguments.ts'
import { databaseName, keyName, sqliteFile } from './backup-folder.ts'
import type { Command } from './command.ts'
import { requireDatabase } from './require-database.ts'

export const backup: Command = {
  summary: 'Copy the SQLite database and the secret key into a new folder, also while the server runs',
  usage: '<folder>',
  help: [
    'The folder must not exist yet or be empty. It gets the database as of one moment and the key that opens what is',
    'sealed in it, readable by you alone: whoever has the folder has every upstream key. `restore` takes it back.',
    'With PostgreSQL, pg_dump makes the backup; the command says how.',
  ].join('\n'),
  async run(config, args) {
    const folder = resolve(readArguments(args, 'folder').first)
    const source = sqliteFile(config)
    if (source === null) throw new Refusal(dumpAdvice)
    requireDatabase(config)
    const withKey = await copyData(config, source, folder)
    console.log(`The backup is in ${folder}.`)
    if (!withKey) console.log(keyAdvice(config))
    return 0
  },
}

const keyAdvice = ({ SECRET_KEY, DATA_DIR }: Config): string =>
  SECRET_KEY === ''
    ? `There is no ${keyName} in ${resolve(DATA_DIR)}, so no key is in it: keep the SECRET_KEY of the server as safe, and apart.`
    : 'SECRET_KEY comes from the environment and is not in it: keep it as safe, and apart.'

const dumpAdvice = [
  'The data is in PostgreSQL, whose own tool makes the backup, also while the server runs:',
  '  pg_dump --format=custom --file=switchyard.dump "$DATABASE_URL"',
  'and takes it back into an empty database:',
  '  pg_restore --no-owner --dbname="$DATABASE_URL" switchyard.dump',
  'Keep SECRET_KEY (or DATA_DIR/secret.key) too: without it, sealed keys stay sealed.',
].join('\n')

/** Under another name first, so that a folder of the wanted name is always a whole backup. Returns whether it has the key. */
async function copyData(config: Config, source: string, folder: string): Promise<boolean> {
  const partial = `${folder}.partial`
  prepare(folder, partial)
  try {
    copyDatabase(source, join(partial, databaseName))
    const key = join(config.DATA_DIR, keyName)
    const withKey = config.SECRET_KEY === '' && existsSync(key)
    if (withKey) copyPrivately(key, join(partial, keyName))
    renameSync(partial, folder)
    return withKey
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw error
  }
}

/** Leaves an empty folder `partial`, and nothing at `folder`; removes nothing that somebody else put there. */
function prepare(folder: string, partial: string): void {
  const placed = existsSync(folder)
  try {
    if (placed && readdirSync(folder).length > 0) throw new Refusal(`${folder} is not empty.`)
    mkdirSync(dirname(folder), { recursive: true })
    // Where a mount begins, the folder can be neither removed nor replaced.
    if (placed) rmdirSync(folder)
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(cannotBe(folder, error))
  }
  const foreign = existsSync(partial) && readdirSync(partial).find((name) => !isOurs(name))
  if (foreign) throw new Refusal(`${partial} holds ${foreign}, which is of no backup. Name another folder.`)
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { mode: 0o700 })
}

const isOurs = (name: string) => name === keyName || name.startsWith(databaseName)

const cannotBe = (folder: string, error: unknown) =>
  `${folder} cannot become the backup: ${error instanceof Error ? error.message : error}. Name a folder that does not exist yet.`

/**
 * Reads in one transaction on a connection of its own: writers go on, and the copy shows none of what they do meanwhile. What
 * waited in the journal before is written into the copy.
 */
export function copyDatabase(source: string, copy: string): void {
  const journal = readJournal(journalPath(source))
  withSqlite(new Sqlite(source, { readonly: true, strict: true }), (sqlite) => {
    sqlite.run('pragma busy_timeout = 30000')
    sqlite.query('vacuum into ?').run(copy)
  })
  withSqlite(new Sqlite(copy, { readwrite: true, strict: true }), (sqlite) => replayJournal(sqlite, journal))
  chmodSync(copy, 0o600)
  const file = openSync(copy, 'r+')
  fsyncSync(file)
  closeSync(file)
}

function withSqlite(sqlite: Sqlite, work: (sqlite: Sqlite) => void): void {
  try {
    work(sqlite)
  } finally {
    sqlite.close()
  }
}

export function copyPrivately(from: string, to: string): void {
  copyFileSync(from, to)
  chmodSync(to, 0o600)
}
