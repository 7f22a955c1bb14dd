import type { Insertable } from 'kysely'
import { bookBalances } from '#server/billing/ledger/book-balances.ts'
import type { TokensTable } from '#server/db/tables.ts'
import type { ForeignToken } from '#server/import/form.ts'
import { createTextSet, type TextSet } from '#server/lib/flat-sets.ts'
import { tokenStatus } from '#shared/statuses.ts'
import { isSubnet } from '#shared/subnet.ts'
import { freeValues } from './free.ts'
import { amountOf, counterOf, type ImportRun, noteEncoding, tidyList } from './run.ts'

export async function storeTokens(run: ImportRun): Promise<void> {
  const taken = createTextSet()
  for await (const page of run.reader.tokens()) {
    const living = page.filter((token) => !token.isDeleted)
    run.report.count('deleted tokens left out', page.length - living.length)
    const owned = living.filter((token) => run.present.users.has(token.userId) && bareKey(token) !== '')
    run.report.count('tokens without an owner left out', living.length - owned.length)
    await upsertTokens(run, withoutTwins(run, owned, taken))
  }
}

const bareKey = ({ key }: ForeignToken): string => key.replace(/^sk-/, '')

/** A key opens one token: the first that has it. */
function withoutTwins({ report }: ImportRun, tokens: readonly ForeignToken[], taken: TextSet): ForeignToken[] {
  return tokens.filter((token) => {
    const key = bareKey(token)
    const isTwin = taken.has(key)
    if (isTwin) report.note('token whose key another one has left out', `token ${token.id}`)
    taken.add(key)
    return !isTwin
  })
}

const columns = [
  'user_id',
  'name',
  'key_hash',
  'key_sealed',
  'status',
  'created_time',
  'accessed_time',
  'expired_time',
  'unlimited_quota',
  'used_quota',
  'models',
  'subnet',
  'group',
] as const

async function upsertTokens(run: ImportRun, tokens: readonly ForeignToken[]): Promise<void> {
  for (const { id } of tokens) run.present.tokens.add(id)
  const news = tokens.filter((token) => run.seen.isNews('token', token.id, token))
  run.report.count('tokens', news.length)
  if (news.length === 0) return
  const rows = news.map((token) => ({ ...tokenRow(run, token), id: token.id }))
  await freeValues(run, 'tokens', rows)
  await run.tx
    .insertInto('tokens')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)]))),
    )
    .execute()
  const balances = news.map((token) => ({
    id: token.id,
    userId: token.userId,
    quota: remainOf(run, token),
    ref: `import:token:${token.id}${run.round}`,
  }))
  await bookBalances(run.tx, { of: 'tokens', kind: 'token', balances, at: run.at })
}

/** What is left on a token that has no limit means nothing, whatever is written there. */
const remainOf = (run: ImportRun, { id, isUnlimited, remainQuota }: ForeignToken): number =>
  isUnlimited ? counterOf(remainQuota ?? 0) : amountOf(run, remainQuota, 'quota', `token ${id}`)

function tokenRow(run: ImportRun, token: ForeignToken): Insertable<TokensTable> {
  const subnet = tidyList(token.subnet)
  noteEncoding(run, `token ${token.id}`, token.name)
  return {
    id: token.id,
    user_id: token.userId,
    name: token.name,
    key_hash: run.secrets.hash(bareKey(token)),
    key_sealed: run.secrets.seal(bareKey(token)),
    status: statusOf(run, token, subnet),
    created_time: token.createdTime,
    accessed_time: token.accessedTime,
    // Anything but -1 that lies in the past has expired; 0 would read as no date at all.
    expired_time: token.expiredTime === -1 ? -1 : Math.max(1, token.expiredTime),
    unlimited_quota: Number(token.isUnlimited),
    used_quota: counterOf(token.usedQuota),
    models: tidyList(token.models),
    subnet: allRanges(subnet) ? subnet : '',
    group: token.group,
  }
}

const allRanges = (subnet: string): boolean => subnet.split(',').every((range) => range === '' || isSubnet(range))

/** A limit that cannot be kept must not turn into no limit: the token is switched off until its owner looks at it. */
function statusOf({ report }: ImportRun, { id, status, doubts }: ForeignToken, subnet: string): number {
  const reasons = allRanges(subnet) ? doubts : [...doubts, 'subnet not understood']
  for (const reason of reasons) report.note(`${reason}, token disabled`, `token ${id}`)
  if (reasons.length > 0) return tokenStatus.disabled
  return status >= tokenStatus.enabled && status <= tokenStatus.exhausted ? status : tokenStatus.disabled
}
