import type { Context } from '#server/context.ts'
import type { Db } from '#server/db/database.ts'
import { checkingPassword } from '#server/lib/passwords.ts'
import type { FirstSteps } from '#shared/api/status.ts'
import { defaultRootPassword } from '#shared/api/users.ts'
import { roles } from '#shared/roles.ts'

/** Whether hashes are of the password everybody knows: to find out takes a core for a while, and never changes. */
const isDefault = new Map<string, boolean>()

async function hasDefaultPassword(db: Db): Promise<boolean> {
  const people = await db.selectFrom('users').select('password_hash').where('role', '=', roles.root).execute()
  for (const { password_hash: hash } of people) {
    const known = isDefault.get(hash) ?? (await checkingPassword((check) => check(defaultRootPassword, hash)))
    isDefault.set(hash, known)
    if (known) return true
  }
  return false
}

/** How far an installation has come on its way to the first answer; nothing of it is stored for its own sake. */
export async function firstSteps({ database: { db } }: Pick<Context, 'database'>): Promise<FirstSteps> {
  const channels = await db.selectFrom('channels').select(['test_time', 'test_fault']).execute()
  const token = await db.selectFrom('tokens').select('id').limit(1).executeTakeFirst()
  const asked = await db.selectFrom('users').select('id').where('request_count', '>', 0).limit(1).executeTakeFirst()
  return {
    password_changed: !(await hasDefaultPassword(db)),
    channel_added: channels.length > 0,
    channel_tested: channels.some(({ test_time, test_fault }) => test_time > 0 && test_fault === ''),
    token_created: token !== undefined,
    request_answered: asked !== undefined,
  }
}
