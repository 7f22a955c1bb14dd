import { book } from '#server/billing/ledger/book.ts'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import { transact } from '#server/db/transact.ts'
import { hashPassword } from '#server/lib/passwords.ts'
import { looksOf } from '#server/lib/text/look-alike.ts'
import { roles } from '#shared/roles.ts'
import { userStatus } from '#shared/statuses.ts'
import { type Config, variables } from './config.ts'

const rootQuota = 500_000_000_000_000

const mark = 'first_login'

/** The default password is no secret; a configured one is. */
const firstLogin = ({ INITIAL_ROOT_PASSWORD }: Config): string =>
  INITIAL_ROOT_PASSWORD === variables.INITIAL_ROOT_PASSWORD.default
    ? `root with the password ${variables.INITIAL_ROOT_PASSWORD.default}. Change it at once.`
    : 'root with the password of INITIAL_ROOT_PASSWORD.'

/** Prints how to log in for the first time, once: by the first node that serves after the account was made. */
export async function takeFirstLogin({ database }: Context): Promise<string | null> {
  const taken = await database.db.deleteFrom('meta').where('key', '=', mark).returning('value').executeTakeFirst()
  return taken?.value ?? null
}

/** Creates the first account when there are no users. */
export async function ensureRoot(ctx: Context): Promise<void> {
  const { db } = ctx.database
  if (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) return
  const passwordHash = await hashPassword(ctx.config.INITIAL_ROOT_PASSWORD)
  const at = epochSeconds(ctx)
  await transact(ctx, async (tx) => {
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
    if (!created) return
    await book(tx, { userId: created.id, kind: 'opening', amount: rootQuota, ref: `opening:${created.id}`, at })
    const value = firstLogin(ctx.config)
    const kept = tx.insertInto('meta').values({ key: mark, value })
    await kept.onConflict((conflict) => conflict.column('key').doUpdateSet({ value })).execute()
  })
}
