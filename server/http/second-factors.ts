import type { Db, Tx } from '#server/db/database.ts'

export interface Factors {
  readonly totp: boolean
  readonly passkeys: number
}

export async function factorsOf(db: Db | Tx, userId: number): Promise<Factors> {
  const totp = await db
    .selectFrom('totp')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed', '=', 1)
    .executeTakeFirst()
  const { count } = await db
    .selectFrom('passkeys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { totp: totp !== undefined, passkeys: count }
}

export const hasFactor = async (db: Db | Tx, userId: number): Promise<boolean> => {
  const { totp, passkeys } = await factorsOf(db, userId)
  return totp || passkeys > 0
}

/** The second factors a user can log in with. */
export const factorNames = ({ totp, passkeys }: Factors): ('totp' | 'passkey')[] => [
  ...(totp ? (['totp'] as const) : []),
  ...(passkeys > 0 ? (['passkey'] as const) : []),
]

/** Removes every second factor, and the logins that wait for one. */
export async function clearFactors(tx: Tx, userId: number): Promise<void> {
  for (const table of ['totp', 'recovery_codes', 'passkeys', 'login_tickets'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute()
  }
}
