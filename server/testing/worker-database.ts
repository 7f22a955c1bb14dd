import pg from 'pg'
import { databaseUrlWithTables, onPostgres, retireDatabase } from './test-database.ts'

/** An empty database with its tables, for one test at a time. */
export interface LentDatabase {
  readonly url: string
  giveBack(): Promise<void>
}

/** The database of this worker on PostgreSQL, as its tables and counters were when it was new. */
interface WorkerDatabase {
  readonly url: string
  readonly tables: readonly string[]
  readonly relations: number
  /** Where each sequence began; null where nothing had been drawn. */
  readonly sequences: readonly { readonly name: string; readonly last: string | null }[]
}

let database: WorkerDatabase | null = null
let isLent = false

/**
 * Copying a file takes less time than emptying one. On PostgreSQL making a database takes long, so a worker has one, which is
 * emptied when it is lent; whoever comes while it is lent gets one of their own.
 */
export async function lendDatabase(): Promise<LentDatabase> {
  if (!onPostgres || isLent) {
    const url = await databaseUrlWithTables()
    return { url, giveBack: () => retireDatabase(url) }
  }
  isLent = true
  try {
    database = (await emptied(database)) ?? (await remembered(await databaseUrlWithTables()))
  } catch (error) {
    isLent = false
    throw error
  }
  return {
    url: database.url,
    async giveBack() {
      isLent = false
    },
  }
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const countRelations = `select count(*)::int as relations from pg_class where relnamespace = 'public'::regnamespace`
const listTables = `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations'`
const listSequences = `select sequencename as name, last_value as last from pg_sequences where schemaname = 'public'`

const remembered = (url: string): Promise<WorkerDatabase> =>
  connected(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(listTables)
    const { rows: counts } = await client.query<{ relations: number }>(countRelations)
    const { rows: sequences } = await client.query<{ name: string; last: string | null }>(listSequences)
    return { url, tables: tables.map(({ name }) => name), relations: counts[0]?.relations ?? 0, sequences }
  })

/** As it was when it was new; null, and dropped, where a test has changed more than rows or keeps a lock. */
async function emptied(used: WorkerDatabase | null): Promise<WorkerDatabase | null> {
  if (!used) return null
  const isEmpty = await connected(used.url, (client) => emptyTables(client, used)).catch(() => false)
  if (isEmpty) return used
  await retireDatabase(used.url)
  return null
}

async function emptyTables(client: pg.Client, { tables, relations, sequences }: WorkerDatabase): Promise<boolean> {
  const { rows: counts } = await client.query<{ relations: number }>(countRelations)
  if (counts[0]?.relations !== relations) return false
  await client.query(`set lock_timeout = '2s'`)
  const filled = tables.map((name) => `select '"${name}"' as name where exists (select from "${name}")`)
  const { rows } = await client.query<{ name: string }>(filled.join(' union all '))
  if (rows.length > 0) await client.query(`truncate ${rows.map(({ name }) => name).join(', ')}`)
  const resets = sequences.map(({ name, last }) =>
    last === null
      ? `setval('"${name}"', (select start_value from pg_sequences where sequencename = '${name}'), false)`
      : `setval('"${name}"', ${last}, true)`,
  )
  if (resets.length > 0) await client.query(`select ${resets.join(', ')}`)
  return true
}
