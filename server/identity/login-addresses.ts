import { epochSeconds } from '#server/context.ts'
import { countingGuess, refuseExhausted } from '#server/http/attempts.ts'
import type { Call } from '#server/http/call.ts'
import { networkOf } from '#server/http/client-address.ts'

type From = Pick<Call<unknown>, 'ctx' | 'clientAddress'>
type Attempt = From & Pick<Call<unknown>, 'limiter'>

interface Who {
  readonly id: number
  readonly username: string
}

/** Stored as a hash, for privacy. */
const hashOf = ({ ctx, clientAddress }: From, userId: number): string =>
  ctx.secrets.hash(`login\n${userId}\n${networkOf(clientAddress)}`)

/** Remembers the addresses an account was entered from, so that strangers who guess its password do not lock the owner out. */
async function hasEnteredFrom(from: From, userId: number): Promise<boolean> {
  const row = await from.ctx.database.db
    .selectFrom('login_addresses')
    .select('seen_at')
    .where('user_id', '=', userId)
    .where('address_hash', '=', hashOf(from, userId))
    .executeTakeFirst()
  return row !== undefined
}

/** Refuses when this client, or anyone on this account while the client has never entered it, has failed too often of late. */
export async function refuseGuessing(attempt: Attempt, { id, username }: Who): Promise<void> {
  await refuseExhausted(attempt, username, await hasEnteredFrom(attempt, id))
}

/** Checks a code of an account under the same rule. */
export const guessing = async <Result>(attempt: Attempt, { id, username }: Who, check: () => Promise<Result>) =>
  countingGuess(attempt, { account: username, trusted: await hasEnteredFrom(attempt, id) }, check)

export async function rememberAddress(from: From, userId: number): Promise<void> {
  const seen_at = epochSeconds(from.ctx)
  await from.ctx.database.db
    .insertInto('login_addresses')
    .values({ user_id: userId, address_hash: hashOf(from, userId), seen_at })
    .onConflict((conflict) => conflict.columns(['user_id', 'address_hash']).doUpdateSet({ seen_at }))
    .execute()
}
