import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Deletes everything that belongs to a user, the row itself last. The ledger must have been closed before. */
export async function eraseAccount(tx: Tx, userId: number): Promise<void> {
  const user = await tx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  await tx.deleteFrom('tokens').where('user_id', '=', userId).execute()
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await tx.deleteFrom('oauth_states').where('user_id', '=', userId).execute()
  if (user && user.email !== '') await tx.deleteFrom('codes').where('subject', '=', user.email).execute()
  await eraseLogs(tx, userId)
  await tx.deleteFrom('users').where('id', '=', userId).execute()
}

/** Takes the user's rows out of the log and out of the daily sums they were folded into. */
async function eraseLogs(tx: Tx, userId: number): Promise<void> {
  const share = (column: 'count' | 'quota' | 'tokens') => sql<number>`log_totals.${sql.id(column)} - (
    select coalesce(sum(own.${sql.id(column)}), 0) from user_log_totals as own
    where own.user_id = ${userId} and own.day = log_totals.day and own.type = log_totals.type
      and own.model_name = log_totals.model_name and own.channel = log_totals.channel)`
  await tx
    .updateTable('log_totals')
    .set({ count: share('count'), quota: share('quota'), tokens: share('tokens') })
    .where('day', 'in', (own) => own.selectFrom('user_log_totals').select('day').where('user_id', '=', userId))
    .execute()
  await tx.deleteFrom('user_log_totals').where('user_id', '=', userId).execute()
  await tx.deleteFrom('log_totals').where('count', '<=', 0).execute()
  await tx.deleteFrom('logs').where('user_id', '=', userId).execute()
}
