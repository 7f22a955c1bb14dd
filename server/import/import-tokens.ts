import { bookTokenTo } from '#server/billing/ledger/book.ts'
import { tokenStatus } from '#shared/statuses.ts'
import { isSubnet } from '#shared/subnet.ts'
import { amountOf, counterOf, type ImportRun, tidyList } from './import-run.ts'
import { SourceToken } from './rows.ts'
import { pages } from './source.ts'

export async function importTokens(run: ImportRun): Promise<void> {
  for await (const page of pages(run.source, 'tokens', SourceToken)) {
    const kept = page.filter((token) => run.userIds.has(token.user_id) && bareKey(token) !== '')
    run.report.count('tokens without an owner left out', page.length - kept.length)
    if (kept.length > 0) await insertTokens(run, kept)
  }
}

const bareKey = ({ key }: SourceToken): string => key.replace(/^sk-/, '')

async function insertTokens(run: ImportRun, tokens: readonly SourceToken[]): Promise<void> {
  await run.tx
    .insertInto('tokens')
    .values(
      tokens.map((token) => {
        const subnet = tidyList(token.subnet)
        return {
          id: token.id,
          user_id: token.user_id,
          name: token.name,
          key_hash: run.secrets.hash(bareKey(token)),
          key_sealed: run.secrets.seal(bareKey(token)),
          status: statusOf(run, token, subnet),
          created_time: token.created_time,
          accessed_time: token.accessed_time,
          // Anything but -1 that lies in the past has expired; 0 would read as no date at all.
          expired_time: token.expired_time === -1 ? -1 : Math.max(1, token.expired_time),
          unlimited_quota: Number(token.unlimited_quota),
          used_quota: counterOf(token.used_quota),
          models: tidyList(token.models),
          subnet: allRanges(subnet) ? subnet : '',
        }
      }),
    )
    .execute()
  for (const { id, user_id, remain_quota } of tokens) {
    const quota = amountOf(run, remain_quota, 'quota', `token ${id}`)
    await bookTokenTo(run.tx, { tokenId: id, userId: user_id, quota, ref: `import:token:${id}`, at: run.at })
  }
  run.report.count('tokens', tokens.length)
}

const allRanges = (subnet: string): boolean => subnet.split(',').every((range) => range === '' || isSubnet(range))

/** A limit that cannot be read must not turn into no limit: the token is switched off until its owner looks at it. */
function statusOf({ report }: ImportRun, { id, status }: SourceToken, subnet: string): number {
  if (!allRanges(subnet)) {
    report.note('subnet not understood, token disabled', `token ${id}`)
    return tokenStatus.disabled
  }
  return status >= tokenStatus.enabled && status <= tokenStatus.exhausted ? status : tokenStatus.disabled
}
