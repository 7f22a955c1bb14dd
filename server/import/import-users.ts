import type { Insertable } from 'kysely'
import { oldGiftsRemembered } from '#server/accounts/gifts.ts'
import { bookTo } from '#server/billing/ledger/book.ts'
import type { UsersTable } from '#server/db/tables.ts'
import { looksOf } from '#server/lib/look-alike.ts'
import { isAdmin, isRoot, roles } from '#shared/roles.ts'
import { userStatus } from '#shared/statuses.ts'
import { amountOf, counterOf, type ImportRun, tidyList } from './import-run.ts'
import { SourceUser } from './rows.ts'
import { pages } from './source.ts'

export const deletedStatus = 3

/** Values only one account may have: the first keeps it. */
type Claims = Record<
  'username' | 'name_key' | 'email' | 'github_id' | 'wechat_id' | 'access_token' | 'aff_code',
  Set<string>
>

export async function importUsers(run: ImportRun): Promise<void> {
  const claims: Claims = {
    username: new Set(),
    name_key: new Set(),
    email: new Set(),
    github_id: new Set(),
    wechat_id: new Set(),
    access_token: new Set(),
    aff_code: new Set(),
  }
  for await (const page of pages(run.source, 'users', SourceUser)) {
    const kept = page.filter((user) => user.status !== deletedStatus)
    run.report.count('deleted users left out', page.length - kept.length)
    if (kept.length > 0) await insertUsers(run, kept, claims)
  }
  // The next start keeps in mind who had gifts.
  await run.tx.deleteFrom('meta').where('key', '=', oldGiftsRemembered).execute()
  await run.tx
    .updateTable('users')
    .set({ inviter_id: 0 })
    .where('inviter_id', 'not in', (query) => query.selectFrom('users').select('id'))
    .execute()
}

const columns = [
  'username',
  'name_key',
  'password_hash',
  'display_name',
  'role',
  'status',
  'email',
  'github_id',
  'github_login',
  'wechat_id',
  'access_token_hash',
  'used_quota',
  'request_count',
  'group',
  'aff_code',
  'inviter_id',
  'created_time',
] as const

/** The one row that can be there already is the built-in first account, which the imported one replaces. */
async function insertUsers(run: ImportRun, users: readonly SourceUser[], claims: Claims): Promise<void> {
  await run.tx
    .insertInto('users')
    .values(users.map((user) => ({ id: user.id, ...accountOf(run, user, claims) })))
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)]))),
    )
    .execute()
  for (const { id, quota } of users) {
    run.userIds.add(id)
    const opening = amountOf(run, quota, 'quota', `user ${id}`)
    await bookTo(run.tx, { userId: id, kind: 'opening', quota: opening, ref: `import:user:${id}`, at: run.at })
  }
  run.report.count('users', users.length)
}

function accountOf(run: ImportRun, user: SourceUser, claims: Claims): Omit<Insertable<UsersTable>, 'id'> {
  const subject = `user ${user.id}`
  const claim = (kind: keyof Claims, value: string): string => {
    const key = kind === 'github_id' ? value.toLowerCase() : value
    if (value === '' || !claims[kind].has(key)) {
      claims[kind].add(key)
      return value
    }
    run.report.note(`${kind.replace('_', ' ')} of another account cleared`, subject)
    return ''
  }
  const accessToken = claim('access_token', user.access_token)
  const username = claim('username', user.username.trim()) || madeName(run, user, claims)
  const looks = looksOf(username)
  const isFirst = !claims.name_key.has(looks)
  claims.name_key.add(looks)
  return {
    username,
    name_key: isFirst ? looks : '',
    password_hash: passwordOf(run, user),
    display_name: user.display_name,
    role: isRoot(user.role) ? roles.root : isAdmin(user.role) ? roles.admin : roles.user,
    status: user.status === userStatus.activated ? userStatus.activated : userStatus.banned,
    email: claim('email', user.email.toLowerCase()),
    github_id: '',
    // one-api knows people by their login name; the number follows when they next log in.
    github_login: claim('github_id', user.github_id),
    wechat_id: claim('wechat_id', user.wechat_id),
    access_token_hash: accessToken === '' ? '' : run.secrets.hash(accessToken),
    used_quota: counterOf(user.used_quota),
    request_count: counterOf(user.request_count),
    group: tidyList(user.group) || 'default',
    aff_code: claim('aff_code', user.aff_code),
    inviter_id: user.inviter_id,
    created_time: run.at,
  }
}

function madeName({ report }: ImportRun, { id }: SourceUser, claims: Claims): string {
  let name = `user_${id}`
  while (claims.username.has(name)) name += '_'
  claims.username.add(name)
  report.note('username missing or taken, a new one given', `user ${id} is now ${name}`)
  return name
}

/** bcrypt hashes verify here as they are and are replaced at the next login. */
function passwordOf({ report }: ImportRun, { id, password }: SourceUser): string {
  if (password === '' || password.startsWith('$2')) return password
  report.note('password of an unknown kind cleared (use reset-password)', `user ${id}`)
  return ''
}
