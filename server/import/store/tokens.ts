import type { Insertable } from 'kysely'
import { bookBalances } from '#server/billing/ledger/book-balances.ts'
import type { TokensTable } from '#server/db/tables.ts'
import type { ForeignToken } from '#server/import/form.ts'
import { tokenStatus } from '#shared/statuses.ts'
import { isSubnet } from '#shared/subnet.ts'
import { heldBefore } from './claims.ts'
import { disableGone, livingUsers } from './gone.ts'
import { amountOf, counterOf, type ImportRun, noteEncoding, tidyList } from './run.ts'
import { upsertRows } from './upsert.ts'
import { stretches } from './walk.ts'

export async function storeTokens(run: ImportRun): Promise<void> {
  for await (const stretch of stretches(run.reader.tokens())) {
    const living = stretch.rows.filter((token) => !token.isDeleted)
    run.report.count('deleted tokens left out', stretch.rows.length - living.length)
    const owners = await livingUsers(
      run,
      living.map(({ userId }) => userId),
    )
    const owned = living.filter(({ userId }) => owners.has(userId))
    run.report.count('tokens without an owner left out', living.length - owned.length)
    const kept = await withoutRepeats(run, withKeys(run, owned), stretch.after)
    await disableGone(run, 'tokens', stretch, new Set(kept.map(({ id }) => id)))
    await upsertTokens(run, kept)
  }
}

interface Keyed extends ForeignToken {
  readonly keyHash: string
}

const bareKey = ({ key }: ForeignToken): string => key.replace(/^sk-/, '')

function withKeys(run: ImportRun, tokens: readonly ForeignToken[]): ForeignToken[] {
  const isKeyed = (token: ForeignToken) => bareKey(token) !== ''
  for (const token of tokens) if (!isKeyed(token)) run.report.note('token without a key left out', `token ${token.id}`)
  return tokens.filter(isKeyed)
}

/** A key opens one token: the first that has it. */
async function withoutRepeats(run: ImportRun, tokens: readonly ForeignToken[], upTo: number): Promise<Keyed[]> {
  const keyed = tokens.map((token) => ({ ...token, keyHash: run.secrets.hash(bareKey(token)) }))
  const values = keyed.map(({ keyHash }) => keyHash)
  const taken = await heldBefore(run, { table: 'tokens', column: 'key_hash', values, upTo })
  return keyed.filter(({ id, keyHash }) => {
    const isTwin = taken.has(keyHash)
    if (isTwin) run.report.note('token whose key another one has left out', `token ${id}`)
    taken.add(keyHash)
    return !isTwin
  })
}

async function upsertTokens(run: ImportRun, tokens: readonly Keyed[]): Promise<void> {
  const news = tokens.filter((token) => run.seen.isNews('token', token.id, token))
  run.report.count('tokens', news.length)
  if (news.length === 0) return
  const rows = news.map((token) => ({ ...tokenRow(run, token), id: token.id }))
  await upsertRows(run, 'tokens', rows)
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

function tokenRow(run: ImportRun, token: Keyed): Insertable<TokensTable> {
  const subnet = tidyList(token.subnet)
  noteEncoding(run, `token ${token.id}`, token.name, token.key, token.models, token.subnet)
  return {
    id: token.id,
    user_id: token.userId,
    name: token.name,
    key_hash: token.keyHash,
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
