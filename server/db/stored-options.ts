import { sql } from 'kysely'
import { inPortions } from '#server/lib/in-portions.ts'
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

const parseOption = (key: OptionKey, text: string) => options[key].schema.safeParse(text)

/** Shorter texts are read in no time. */
const longText = 10_000

const lastRead = new Map<OptionKey, { readonly text: string; readonly parsed: ReturnType<typeof parseOption> }>()

/** Reads the text of an option; a long one is read once for as long as it stays the same. */
export function parseStored(key: OptionKey, text: string): ReturnType<typeof parseOption> {
  const last = lastRead.get(key)
  if (last?.text === text) return last.parsed
  const parsed = parseOption(key, text)
  if (text.length >= longText) lastRead.set(key, { text, parsed })
  return parsed
}

function optionValueOf(key: OptionKey, text: string | undefined): unknown {
  const parsed = text === undefined ? null : parseStored(key, text)
  return parsed?.success ? parsed.data : options[key].schema.parse(options[key].default)
}

const optionKeys = () => Object.keys(options) as OptionKey[]

/** Before anything has been read. */
export const defaultValues = (): OptionValues =>
  Object.fromEntries(optionKeys().map((key) => [key, optionValueOf(key, undefined)])) as OptionValues

/** The values the server works with: what is stored where it is valid, the default otherwise. */
export async function optionValues(stored: Partial<Record<OptionKey, string>>): Promise<OptionValues> {
  const values = await inPortions(optionKeys(), (key) => [key, optionValueOf(key, stored[key])] as const)
  return Object.fromEntries(values) as OptionValues
}
