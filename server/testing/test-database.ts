import { copyFileSync, existsSync, mkdtempSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { randomHex } from '#server/lib/random.ts'

/** Set by the test runner to the address of a PostgreSQL server when the suite runs on it. */
const server = process.env.TEST_POSTGRES_URL ?? ''

export const onPostgres = server !== ''

/** A database nobody else uses: a SQLite file in a temporary folder, or a new database of the PostgreSQL server. */
export async function freshDatabaseUrl(): Promise<string> {
  return onPostgres ? created('template1') : `sqlite:${freshFile()}`
}

/** The same with its tables: copying them takes a fraction of the time migrations take. */
export async function databaseUrlWithTables(): Promise<string> {
  hasModel ??= onPostgres ? withServer(ensureModel) : ensureModelFile()
  await hasModel
  if (onPostgres) return created(modelName)
  const file = freshFile()
  copyFileSync(modelFile, file)
  return `sqlite:${file}`
}

const freshFile = () => join(mkdtempSync(join(tmpdir(), 'switchyard-')), 'test.db')

/** Set by the test runner to a file that all its processes copy; without it each makes its own. */
const modelFile = process.env.TEST_SQLITE_MODEL ?? freshFile()

/** Processes that make it at the same moment make the same; it appears whole or not at all. */
async function ensureModelFile(): Promise<void> {
  if (existsSync(modelFile)) return
  const file = freshFile()
  await openAndMigrate(`sqlite:${file}`)
  renameSync(file, modelFile)
}

const modelName = 'model_of_tests'
let hasModel: Promise<void> | undefined

/** Made by the first of all processes that test on this server; the others wait for it. */
async function ensureModel(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock(1)')
  const { rowCount } = await client.query('select from pg_database where datname = $1', [modelName])
  if (rowCount !== 0) return
  const url = await created('template1')
  await openAndMigrate(url)
  await client.query(`alter database ${new URL(url).pathname.slice(1)} rename to ${modelName}`)
}

async function openAndMigrate(url: string): Promise<void> {
  const database = openDatabase(url)
  await migrate(database)
  await database.close()
}

/** Tests start a stopped app again at once or not at all: the last few are kept, older ones are dropped. */
const retired: string[] = []
const retiredMax = 4

/** For a database that its test needs no more. */
export async function retireDatabase(url: string): Promise<void> {
  if (!onPostgres) return
  retired.push(url)
  for (const old of retired.splice(0, retired.length - retiredMax)) {
    await withServer((client) => client.query(`drop database if exists ${new URL(old).pathname.slice(1)} with (force)`))
  }
}

const created = (template: string): Promise<string> =>
  withServer(async (client) => {
    const name = `test_${randomHex(12)}`
    await client.query(`create database ${name} template ${template}`)
    const url = new URL(server)
    url.pathname = `/${name}`
    return url.toString()
  })

async function withServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
