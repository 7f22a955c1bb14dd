import { existsSync } from 'node:fs'
import { type Db, openDatabase } from '#server/db/database.ts'
import { reached } from '#server/db/unusable.ts'
import type { SecretBox } from '#server/lib/secret-box.ts'
import { Refusal } from './refusal.ts'

const mark = 'secret_check'
const text = 'the secret key fits'

/** Refuses another key than the one the database, in whatever version it is, was sealed with: nothing sealed could be opened. */
export async function refuseOtherKey(db: Db, secrets: SecretBox): Promise<void> {
  if (!(await isSealedWith(db, secrets))) throw new Refusal(otherKey)
}

/** Whether a key is the one the database was sealed with, if it was. */
export const isSealedWith = async (db: Db, secrets: SecretBox): Promise<boolean> =>
  (await sealedValues(db)).every((sealed) => opens(secrets, sealed))

/** Refuses another key, and marks a database that has no check value yet with this one. */
export async function requireSameKey(db: Db, secrets: SecretBox): Promise<void> {
  await refuseOtherKey(db, secrets)
  await db
    .insertInto('meta')
    .values({ key: mark, value: secrets.seal(text) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  // A node that started at the same moment may have been faster.
  const stored = await storedCheck(db)
  if (stored && !opens(secrets, stored.value)) throw new Refusal(otherKey)
}

/** Whether a database, in whatever version it is, was sealed with some key. */
export async function isSealed(url: string): Promise<boolean> {
  if (url.startsWith('sqlite:') && !existsSync(url.slice('sqlite:'.length))) return false
  const database = openDatabase(url)
  try {
    return (await reached(sealedValues(database.db))).length > 0
  } finally {
    await database.close()
  }
}

/** What only the right key opens; nothing in a database that is new. */
async function sealedValues(db: Db): Promise<string[]> {
  const tables = new Set((await db.introspection.getTables()).map(({ name }) => name))
  if (!tables.has('tokens') || !tables.has('channels')) return []
  const check = tables.has('meta') ? await storedCheck(db) : undefined
  return check ? [check.value] : samples(db)
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
