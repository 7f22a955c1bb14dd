import { openAccount } from '#server/accounts/open-account.ts'
import { bookTo, bookTokenTo } from '#server/billing/ledger/book.ts'
import { type Context, epochSeconds } from '#server/context.ts'
import { transact } from '#server/db/transact.ts'
import { hashPassword } from '#server/lib/passwords.ts'
import { randomText } from '#server/lib/random.ts'
import { insertToken } from '#server/resources/tokens/tokens.store.ts'
import { tokenStatus } from '#shared/statuses.ts'

export interface SceneRows {
  readonly userId: number
  readonly tokenId: number
  /** What the client sends. */
  readonly key: string
}

export const scenePassword = 'password-ann'

/** Writes a user `ann` with a balance and a token, without asking the console's API for each. */
export async function insertScene(
  ctx: Context,
  { quota, tokenQuota }: { readonly quota: number; readonly tokenQuota: number },
): Promise<SceneRows> {
  const passwordHash = await hashPassword(scenePassword)
  const at = epochSeconds(ctx)
  const key = randomText(48)
  return transact(ctx, async (tx, announce) => {
    const account = { username: 'ann', passwordHash, displayName: 'ann' }
    const userId = await openAccount(tx, account, { options: ctx.options(), secrets: ctx.secrets, at, announce })
    await bookTo(tx, { userId, kind: 'admin', quota, ref: `scene:${userId}`, at })
    const tokenId = await insertToken(tx, {
      user_id: userId,
      name: 'test',
      key_hash: ctx.secrets.hash(key),
      key_sealed: ctx.secrets.seal(key),
      status: tokenStatus.enabled,
      created_time: at,
      accessed_time: at,
      expired_time: -1,
      unlimited_quota: 0,
      models: '',
      subnet: '',
    })
    await bookTokenTo(tx, { tokenId, userId, quota: tokenQuota, ref: `token:${tokenId}:opening`, at })
    return { userId, tokenId, key: `sk-${key}` }
  })
}
