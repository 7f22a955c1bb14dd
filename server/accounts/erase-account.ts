import type { Tx } from '#server/db/database.ts'
import { forgetPerson } from '#server/history/forget.ts'
import { requestErasing } from './erase-rows.ts'

/**
 * Deletes what lets a user in and what names him, the row itself last. The ledger must have been closed before. Rows that may be
 * many are erased behind the transaction.
 */
export async function eraseAccount(tx: Tx, userId: number): Promise<void> {
  const user = await tx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  for (const table of ['totp', 'recovery_codes', 'passkeys', 'login_tickets', 'passkey_challenges'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute()
  }
  await tx.deleteFrom('known_devices').where('user_id', '=', userId).execute()
  await forgetPerson(tx, userId)
  await tx.deleteFrom('tokens').where('user_id', '=', userId).execute()
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await tx.deleteFrom('login_addresses').where('user_id', '=', userId).execute()
  await tx.deleteFrom('oauth_states').where('user_id', '=', userId).execute()
  if (user && user.email !== '') await tx.deleteFrom('codes').where('subject', '=', user.email).execute()
  await requestErasing(tx, userId)
  await tx.deleteFrom('users').where('id', '=', userId).execute()
}
