import { book } from '#server/billing/ledger/book.ts'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import { transact } from '#server/db/transact.ts'
import { looksOf } from '#server/lib/look-alike.ts'
import { hashPassword } from '#server/lib/passwords.ts'
import { roles } from '#shared/roles.ts'
import { userStatus } from '#shared/statuses.ts'

const rootQuota = 500_000_000_000_000

/** Creates the first account when there are no users. Answers whether it did. */
export async function ensureRoot(ctx: Context): Promise<boolean> {
  const { db } = ctx.database
  if (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) return false
  const passwordHash = await hashPassword(ctx.config.INITIAL_ROOT_PASSWORD)
  const at = epochSeconds(ctx)
  return transact(ctx, async (tx) => {
    const created = await tx
      .insertInto('users')
      .values({
        username: 'root',
        name_key: looksOf('root'),
        password_hash: passwordHash,
        display_name: 'Root User',
        role: roles.root,
        status: userStatus.activated,
        email: '',
        github_id: '',
        github_login: '',
        wechat_id: '',
        access_token_hash: '',
        group: 'default',
        aff_code: '',
        inviter_id: 0,
        created_time: at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!created) return false
    await book(tx, { userId: created.id, kind: 'opening', amount: rootQuota, ref: `opening:${created.id}`, at })
    return true
  })
}
