import { existsSync } from 'node:fs'
import { Refusal } from '#server/commands/command.ts'
import { type Db, openDatabase } from '#server/db/database.ts'
import type { SecretBox } from '#server/lib/secret-box.ts'

const mark = 'secret_check'
const text = 'the secret key fits'

/**
 * Refuses a secret key other than the one the database was sealed with: nothing sealed could be opened and no token found. A
 * database without a check value gets one, unless what is sealed in it says that the key is another.
 */
export async function requireSameKey(db: Db, secrets: SecretBox): Promise<void> {
  const stored = await storedCheck(db)
  if (stored) {
    if (!opens(secrets, stored.value)) throw new Refusal(otherKey)
    return
  }
  for (const sealed of await samples(db)) if (!opens(secrets, sealed)) throw new Refusal(otherKey)
  await db
    .insertInto('meta')
    .values({ key: mark, value: secrets.seal(text) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}

/** Whether a database, in whatever version it is, was sealed with some key. */
export async function isSealed(url: string): Promise<boolean> {
  if (url.startsWith('sqlite:') && !existsSync(url.slice('sqlite:'.length))) return false
  const database = openDatabase(url)
  try {
    const tables = new Set((await database.db.introspection.getTables()).map(({ name }) => name))
    if (!tables.has('tokens') || !tables.has('channels')) return false
    if ((await samples(database.db)).length > 0) return true
    if (!tables.has('meta')) return false
    return (await storedCheck(database.db)) !== undefined
  } finally {
    await database.close()
  }
}

const storedCheck = (db: Db) => db.selectFrom('meta').select('value').where('key', '=', mark).executeTakeFirst()

async function samples(db: Db): Promise<string[]> {
  const tokens = await db.selectFrom('tokens').select('key_sealed').where('key_sealed', '<>', '').limit(1).execute()
  const channels = await db.selectFrom('channels').select('key_sealed').where('key_sealed', '<>', '').limit(1).execute()
  return [...tokens, ...channels].map(({ key_sealed }) => key_sealed)
}

function opens(secrets: SecretBox, sealed: string): boolean {
  try {
    secrets.open(sealed)
    return true
  } catch {
    return false
  }
}

const otherKey =
  'The secret key is not the one this database was sealed with: channel keys could not be opened, and no token would be known. ' +
  'Set SECRET_KEY to the former key, or put the file DATA_DIR/secret.key back from a backup, and start again. ' +
  'Nothing was changed.'
