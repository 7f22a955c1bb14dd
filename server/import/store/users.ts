import type { Insertable } from 'kysely'
import { oldGiftsRemembered } from '#server/accounts/gifts.ts'
import { bookBalances } from '#server/billing/ledger/book-balances.ts'
import type { UsersTable } from '#server/db/tables.ts'
import type { ForeignUser } from '#server/import/form.ts'
import { looksOf } from '#server/lib/look-alike.ts'
import { isAdmin, isRoot, roles } from '#shared/roles.ts'
import { userStatus } from '#shared/statuses.ts'
import { type Claims, claimer, newClaims } from './claims.ts'
import { freeValues } from './free.ts'
import { amountOf, counterOf, type ImportRun, noteEncoding, tidyList } from './run.ts'
import { storeFactors } from './second-factors.ts'

export async function storeUsers(run: ImportRun): Promise<void> {
  const claims = newClaims()
  for await (const page of run.reader.users()) {
    const kept = page.filter((user) => !user.isDeleted)
    run.report.count('deleted users left out', page.length - kept.length)
    if (kept.length > 0) await upsertUsers(run, kept, claims)
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
  'oidc_id',
  'access_token_hash',
  'used_quota',
  'request_count',
  'group',
  'aff_code',
  'inviter_id',
  'created_time',
] as const

/** In a first round, the one row that can be there already is the built-in first account, which the imported one replaces. */
async function upsertUsers(run: ImportRun, users: readonly ForeignUser[], claims: Claims): Promise<void> {
  const news = users
    .map((user) => ({ user, account: accountOf(run, user, claims) }))
    .filter(({ user, account }) => run.seen.isNews('user', user.id, [account, user.quota, user.totpSecret]))
  for (const { id } of users) run.present.users.add(id)
  run.report.count('users', news.length)
  if (news.length === 0) return
  const rows = news.map(({ user, account }) => ({ id: user.id, ...account }))
  await freeValues(run, 'users', rows)
  await run.tx
    .insertInto('users')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)]))),
    )
    .execute()
  await storeFactors(
    run,
    news.map(({ user }) => user),
  )
  const balances = news.map(({ user: { id, quota } }) => ({
    id,
    userId: id,
    quota: amountOf(run, quota, 'quota', `user ${id}`),
    ref: `import:user:${id}${run.round}`,
  }))
  await bookBalances(run.tx, { of: 'users', kind: 'opening', balances, at: run.at })
}

function accountOf(run: ImportRun, user: ForeignUser, claims: Claims): Omit<Insertable<UsersTable>, 'id'> {
  const subject = `user ${user.id}`
  const claim = claimer(run.report, claims, subject)
  noteEncoding(run, subject, user.username, user.displayName)
  const accessToken = claim('access_token', user.accessToken)
  const username = claim('username', user.username.trim()) || madeName(run, user, claims)
  const looks = looksOf(username)
  const isFirst = !claims.name_key.has(looks)
  claims.name_key.add(looks)
  return {
    username,
    name_key: isFirst ? looks : '',
    password_hash: passwordOf(run, user),
    display_name: user.displayName,
    role: isRoot(user.role) ? roles.root : isAdmin(user.role) ? roles.admin : roles.user,
    status: user.isEnabled ? userStatus.activated : userStatus.banned,
    email: claim('email', user.email.toLowerCase()),
    github_id: claim('github_id', user.githubId),
    // A login name stands for the account until its owner next logs in and shows the number.
    github_login: claim('github_login', user.githubLogin),
    wechat_id: claim('wechat_id', user.wechatId),
    oidc_id: claim('oidc_id', user.oidcId),
    access_token_hash: accessToken === '' ? '' : run.secrets.hash(accessToken),
    used_quota: counterOf(user.usedQuota),
    request_count: counterOf(user.requestCount),
    group: tidyList(user.group) || 'default',
    aff_code: claim('aff_code', user.affCode),
    inviter_id: user.inviterId,
    created_time: user.createdTime || run.at,
  }
}

function madeName({ report }: ImportRun, { id }: ForeignUser, claims: Claims): string {
  let name = `user_${id}`
  while (claims.username.has(name)) name += '_'
  claims.username.add(name)
  report.note('username missing or taken, a new one given', `user ${id} is now ${name}`)
  return name
}

/** bcrypt hashes verify here as they are and are replaced at the next login. */
function passwordOf({ report }: ImportRun, { id, password }: ForeignUser): string {
  if (password === '' || password.startsWith('$2')) return password
  report.note('password of an unknown kind cleared (use reset-password)', `user ${id}`)
  return ''
}
