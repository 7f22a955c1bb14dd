import { redemptionStatus } from '#shared/statuses.ts'
import { amountOf, type Job } from './job.ts'
import { SourceRedemption } from './rows.ts'
import { pages } from './source.ts'

const known: readonly number[] = Object.values(redemptionStatus)

export async function importRedemptions(job: Job): Promise<void> {
  for await (const page of pages(job.source, 'redemptions', SourceRedemption)) {
    const kept = page.filter(({ key }) => key !== '')
    job.report.count('redemption codes', kept.length)
    if (kept.length === 0) continue
    await job.tx
      .insertInto('redemptions')
      .values(
        kept.map((code) => ({
          id: code.id,
          user_id: job.userIds.has(code.user_id) ? code.user_id : 0,
          name: code.name,
          key: code.key,
          status: known.includes(code.status) ? code.status : redemptionStatus.disabled,
          quota: amountOf(job, code.quota, 'quota', `redemption code ${code.id}`),
          created_time: code.created_time,
          redeemed_time: code.redeemed_time,
          redeemed_by: 0,
        })),
      )
      .execute()
  }
}
