import { keptCode } from '#server/accounts/redemption-code.ts'
import { redemptionStatus } from '#shared/statuses.ts'
import { amountOf, type ImportRun } from './import-run.ts'
import { SourceRedemption } from './rows.ts'
import { pages } from './source.ts'

const known: readonly number[] = Object.values(redemptionStatus)

export async function importRedemptions(run: ImportRun): Promise<void> {
  for await (const page of pages(run.source, 'redemptions', SourceRedemption)) {
    const kept = page.filter(({ key }) => key !== '')
    run.report.count('redemption codes', kept.length)
    if (kept.length === 0) continue
    await run.tx
      .insertInto('redemptions')
      .values(
        kept.map((code) => ({
          id: code.id,
          user_id: run.userIds.has(code.user_id) ? code.user_id : 0,
          name: code.name,
          ...keptCode(run.secrets, code.key),
          status: known.includes(code.status) ? code.status : redemptionStatus.disabled,
          quota: amountOf(run, code.quota, 'quota', `redemption code ${code.id}`),
          created_time: code.created_time,
          redeemed_time: code.redeemed_time,
          redeemed_by: 0,
        })),
      )
      .execute()
  }
}
