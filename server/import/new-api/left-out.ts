import type { LeftOut } from '#server/import/form.ts'
import { countRows, countTables, countUnnumbered, numberIn, type Source } from '#server/import/source/source.ts'

const tables: readonly (readonly [table: string, what: string, advice: string])[] = [
  ['midjourneys', 'drawing tasks', 'They stay in the old database; there are no drawing tasks here.'],
  ['tasks', 'music and video tasks', 'They stay in the old database; there are no such tasks here.'],
  ['checkins', 'check-ins', 'What they gave is in the balances; there are none here.'],
  [
    'user_subscriptions',
    'subscriptions',
    'What is left of them is not in the balances: grant it by hand, or let them end there.',
  ],
  ['subscription_plans', 'subscription plans', 'There are none here; redemption codes and budgets come nearest.'],
  ['subscription_orders', 'orders of subscriptions', 'They stay in the old database.'],
  [
    'user_oauth_bindings',
    'logins through other providers',
    'Their owners log in by password, mail, GitHub or OpenID Connect.',
  ],
  ['passkey_credentials', 'passkeys', 'Their owners register them again: a passkey belongs to the site that made it.'],
  ['quota_data', 'sums for charts', 'The usage page adds them up from the log rows.'],
]

/** How many users have something in one of these columns. */
async function countUsers(source: Source, columns: readonly string[], has: string): Promise<number> {
  const present = columns.filter((column) => source.schema.get('users')?.has(column))
  if (present.length === 0) return 0
  const any = present.map((column) => `${source.quote(column)} ${has}`).join(' or ')
  return numberIn(source, `select count(*) from users where deleted_at is null and (${any})`)
}

export async function leftOutOf(source: Source): Promise<LeftOut[]> {
  const counted = await countTables(source, tables)
  const unpaid = source.schema.has('top_ups')
    ? await numberIn(source, "select count(*) from top_ups where status <> 'success'")
    : 0
  const codes = await countRows(source, 'two_fa_backup_codes')
  return [
    ...counted,
    await countUnnumbered(source),
    {
      what: 'recovery codes of authenticators',
      count: codes,
      advice: 'The authenticators work; their owners make new recovery codes in their settings.',
    },
    { what: 'top-ups that were never paid', count: unpaid, advice: 'Nothing to do.' },
    {
      what: 'accounts with invitation rewards not yet taken',
      count: await countUsers(source, ['aff_quota'], '> 0'),
      advice: 'They are not in the balances: let their owners take them before the move, or grant them by hand.',
    },
    {
      what: 'accounts known to Discord, Telegram or LINUX DO',
      count: await countUsers(source, ['discord_id', 'telegram_id', 'linux_do_id'], "<> ''"),
      advice: 'These logins do not exist here: their owners need a password (reset-password) or a mail address.',
    },
  ]
}
