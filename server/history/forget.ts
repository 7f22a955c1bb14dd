import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import { historySecretDays } from '#shared/api/history.ts'
import { expired, type Fields } from './item.ts'

/** Old secrets are gone for good, and with them what was deleted. */
export async function forgetOldSecrets(ctx: Pick<Context, 'database' | 'clock'>): Promise<void> {
  const { db } = ctx.database
  const before = epochSeconds(ctx) - historySecretDays * daySeconds
  await db
    .updateTable('history_items')
    .set({ sealed: expired })
    .where('sealed', '<>', '')
    .where('sealed', '<>', expired)
    .where('history_id', 'in', (query) => query.selectFrom('history').select('id').where('created_at', '<', before))
    .execute()
}

const personal = ['username', 'name_key', 'display_name', 'email', 'github_id', 'github_login', 'wechat_id', 'oidc_id']

/** Takes a person out of what the history says of the account; who did what stays by number. */
export async function forgetPerson(tx: Tx, userId: number): Promise<void> {
  const items = await tx
    .selectFrom('history_items')
    .select(['id', 'before', 'after'])
    .where('kind', '=', 'user')
    .where('target', '=', String(userId))
    .execute()
  for (const { id, before, after } of items) {
    const cleaned = { before: withoutPerson(before), after: withoutPerson(after), name: '', sealed: '' }
    await tx.updateTable('history_items').set(cleaned).where('id', '=', id).execute()
  }
}

function withoutPerson(text: string): string {
  if (text === '') return ''
  const fields = Object.entries(JSON.parse(text) as Fields).filter(([name]) => !personal.includes(name))
  return JSON.stringify(Object.fromEntries(fields))
}
