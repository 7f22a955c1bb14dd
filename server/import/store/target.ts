import { sql } from 'kysely'
import { z } from 'zod'
import { closeAccount } from '#server/accounts/close-account.ts'
import { eraseAccount } from '#server/accounts/erase-account.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { removeLogsOfUser } from '#server/db/logs/log-totals.ts'
import { randomText } from '#server/lib/random.ts'

const marker = 'import'
const logsDone = 'import:logs'

const Marker = z.object({
  at: z.number(),
  logsUntil: z.number(),
  /** The program it came from; '' for imports of before it was written down. */
  program: z.string().default(''),
  /** The last entry of the ledger when it was done. */
  ledgerUntil: z.number().default(0),
})
export type Marker = z.output<typeof Marker>

export type TargetState =
  | { readonly kind: 'fresh'; readonly builtInRoot: number | null }
  | { readonly kind: 'imported'; readonly marker: Marker }
  | { readonly kind: 'used' }

/** What the database holds: nothing but the built-in first account, an earlier import, or somebody's work. */
export async function inspectTarget(db: Db | Tx): Promise<TargetState> {
  const done = await readMeta(db, marker)
  if (done !== null) return { kind: 'imported', marker: Marker.parse(JSON.parse(done)) }
  const [first, ...others] = await db.selectFrom('users').select(['id', 'username']).orderBy('id').limit(2).execute()
  const { rows } = await sql`select 1 from channels union all select 1 from tokens union all select 1 from redemptions
    union all select 1 from ledger_entries where kind = 'settle' limit 1`.execute(db)
  const untouched = others.length === 0 && (first === undefined || first.username === 'root') && rows.length === 0
  return untouched ? { kind: 'fresh', builtInRoot: first?.id ?? null } : { kind: 'used' }
}

/** The built-in account makes room: its row is taken by the imported account of that number, or goes if there is none. */
export async function clearBuiltInRoot(tx: Tx, id: number, { replaced, at }: { replaced: boolean; at: number }) {
  if (!replaced) {
    await closeAccount(tx, { userId: id, at })
    await removeLogsOfUser(tx, id)
    return eraseAccount(tx, id)
  }
  await tx.deleteFrom('sessions').where('user_id', '=', id).execute()
  await removeLogsOfUser(tx, id)
  await tx
    .updateTable('users')
    .set({ username: randomText(40), name_key: '', access_token_hash: '', email: '' })
    .where('id', '=', id)
    .execute()
}

/** Whether balances changed here after the import by anything but the import itself. */
export async function hasServed(db: Db | Tx, { ledgerUntil }: Marker): Promise<boolean> {
  const own = await db
    .selectFrom('ledger_entries')
    .select('id')
    .where('id', '>', ledgerUntil)
    .where('ref', 'not like', 'import:%')
    .executeTakeFirst()
  return own !== undefined
}

export async function lastEntry(db: Db | Tx): Promise<number> {
  const { last } = await db
    .selectFrom('ledger_entries')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  return Number(last ?? 0)
}

export const writeMarker = (tx: Tx, value: Marker): Promise<void> => writeMeta(tx, marker, JSON.stringify(value))

export const readLogsDone = async (db: Db): Promise<number> => Number((await readMeta(db, logsDone)) ?? 0)

export const writeLogsDone = (tx: Tx, id: number): Promise<void> => writeMeta(tx, logsDone, String(id))

async function readMeta(db: Db | Tx, key: string): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value ?? null
}

async function writeMeta(tx: Tx, key: string, value: string): Promise<void> {
  await tx
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}
