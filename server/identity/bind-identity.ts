import { type Identities, rememberGifts } from '#server/accounts/gifts.ts'
import { lockUsers } from '#server/accounts/lock-users.ts'
import { epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { UserCall } from '#server/http/call.ts'
import { requireEntrance } from '#server/http/session.ts'

/** Binds an account at another service, which may have taken seconds to answer: by then the login may have ended. */
export function bindIdentity(
  call: UserCall<unknown>,
  identities: Identities,
  link: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  const { ctx, actor } = call
  return transact(ctx, async (tx) => {
    await lockUsers(tx, [actor.id])
    await requireEntrance(tx, call)
    await link(tx)
    await rememberGifts(tx, ctx.secrets, identities, epochSeconds(ctx))
  })
}
