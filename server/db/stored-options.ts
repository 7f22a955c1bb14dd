import { sql } from 'kysely'
import type { SecretBox } from '#server/lib/secret-box.ts'
import { isOptionKey, type OptionKey, type OptionValues, options } from '#shared/options.ts'
import { type Db, isSqlite, type Tx } from './database.ts'

/** Stored texts by key, secrets opened. Keys that are not in the table any more are left out. */
export async function readStoredOptions(db: Db | Tx, secrets: SecretBox): Promise<Partial<Record<OptionKey, string>>> {
  const rows = await db.selectFrom('options').selectAll().execute()
  const stored: Partial<Record<OptionKey, string>> = {}
  for (const { key, value } of rows) {
    if (isOptionKey(key)) stored[key] = options[key].secret ? secrets.open(value) : value
  }
  return stored
}

const lockNumber = 7_417_214

/** Who reads options to write them waits for others who do. SQLite has one writer at a time anyway. */
export async function lockOptions(tx: Db | Tx): Promise<void> {
  if (!isSqlite(tx)) await sql`select pg_advisory_xact_lock(${lockNumber})`.execute(tx)
}

export async function writeOption(tx: Tx, secrets: SecretBox, key: OptionKey, value: string): Promise<void> {
  const stored = options[key].secret && value !== '' ? secrets.seal(value) : value
  await tx
    .insertInto('options')
    .values({ key, value: stored })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: stored }))
    .execute()
}

/** The values the server works with: what is stored where it is valid, the default otherwise. */
export function optionValues(stored: Partial<Record<OptionKey, string>>): OptionValues {
  const values = Object.entries(options).map(([key, option]) => {
    const text = stored[key as OptionKey]
    const parsed = text === undefined ? null : option.schema.safeParse(text)
    return [key, parsed?.success ? parsed.data : option.schema.parse(option.default)]
  })
  return Object.fromEntries(values) as OptionValues
}
