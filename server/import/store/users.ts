import { oldGiftsRemembered } from '#server/accounts/gifts.ts'
import { bookBalances } from '#server/billing/ledger/book-balances.ts'
import type { ForeignUser } from '#server/import/form.ts'
import { isAdmin, isRoot, roles } from '#shared/roles.ts'
import { userStatus } from '#shared/statuses.ts'
import { disableGone } from './gone.ts'
import { amountOf, counterOf, type ImportRun, noteEncoding, tidyList } from './run.ts'
import { storeFactors } from './second-factors.ts'
import { type NewUser, withUniqueValues } from './unique-columns.ts'
import { upsertRows } from './upsert.ts'
import { stretches } from './walk.ts'

export async function storeUsers(run: ImportRun): Promise<void> {
  for await (const stretch of stretches(run.reader.users())) {
    const living = stretch.rows.filter((user) => !user.isDeleted)
    run.report.count('deleted users left out', stretch.rows.length - living.length)
    await disableGone(run, 'users', stretch, new Set(living.map(({ id }) => id)))
    await upsertUsers(run, living, stretch.after)
  }
  // The next start keeps in mind who had gifts.
  await run.tx.deleteFrom('meta').where('key', '=', oldGiftsRemembered).execute()
  await run.tx
    .updateTable('users')
    .set({ inviter_id: 0 })
    .where('inviter_id', 'not in', (query) => query.selectFrom('users').select('id'))
    .execute()
}

/** In a first round, the one row that can be there already is the built-in first account, which the imported one replaces. */
async function upsertUsers(run: ImportRun, users: readonly ForeignUser[], upTo: number): Promise<void> {
  const news = users.filter((user) => run.seen.isNews('user', user.id, user))
  run.report.count('users', news.length)
  if (news.length === 0) return
  const isNews = new Set(news.map(({ id }) => id))
  // All of the page, because whoever comes first keeps a value, whether it is news or not.
  const drafts = users.map((user) => ({ id: user.id, account: accountOf(run, user) }))
  const accounts = await withUniqueValues(run, drafts, upTo)
  const rows = accounts.filter(({ id }) => isNews.has(id)).map(({ id, account }) => ({ id, ...account }))
  await upsertRows(run, 'users', rows)
  await storeFactors(run, news)
  const balances = news.map(({ id, quota }) => ({
    id,
    userId: id,
    quota: amountOf(run, quota, 'quota', `user ${id}`),
    ref: `import:user:${id}${run.round}`,
  }))
  await bookBalances(run.tx, { of: 'users', kind: 'opening', balances, at: run.at })
}

function accountOf(run: ImportRun, user: ForeignUser): NewUser {
  noteEncoding(run, `user ${user.id}`, user.username, user.displayName, user.email, user.group)
  return {
    username: user.username.trim(),
    password_hash: passwordOf(run, user),
    display_name: user.displayName,
    role: isRoot(user.role) ? roles.root : isAdmin(user.role) ? roles.admin : roles.user,
    status: user.isEnabled ? userStatus.activated : userStatus.banned,
    email: user.email.toLowerCase(),
    github_id: user.githubId,
    // A login name stands for the account until its owner next logs in and shows the number.
    github_login: user.githubLogin,
    wechat_id: user.wechatId,
    oidc_id: user.oidcId,
    access_token_hash: user.accessToken === '' ? '' : run.secrets.hash(user.accessToken),
    used_quota: counterOf(user.usedQuota),
    request_count: counterOf(user.requestCount),
    group: tidyList(user.group) || 'default',
    aff_code: user.affCode,
    inviter_id: user.inviterId,
    created_time: user.createdTime || run.at,
  }
}

/** bcrypt hashes verify here as they are and are replaced at the next login. */
function passwordOf({ report }: ImportRun, { id, password }: ForeignUser): string {
  if (password === '' || password.startsWith('$2')) return password
  report.note('password of an unknown kind cleared (use reset-password)', `user ${id}`)
  return ''
}
